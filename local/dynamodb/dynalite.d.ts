/** What the engine uses of dynalite 4: request checks and expression parsers. It has no types. */
declare module 'dynalite/db/index.js' {
  type Attributes = import('./attribute-value.ts').Attributes;
  type Table = import('./tables.ts').Table;
  const db: {
    validateKey(key: Attributes, table: Table): Error | undefined;
    validateItem(item: Attributes, table: Table): Error | undefined;
    validateUpdates(attributeUpdates: undefined, updates: unknown, table: Table): Error | undefined;
    validateKeyPaths(nestedPaths: unknown, table: Table): Error | undefined;
    compare(
      operator: 'GT',
      value: import('./attribute-value.ts').AttributeValue,
      other: import('./attribute-value.ts').AttributeValue,
    ): boolean;
    toRangeStr(value: string, type: string): string;
  };
  export = db;
}

declare module 'dynalite/validations/index.js' {
  const validations: {
    checkValidations(data: object, types: object, custom: unknown, store: object): void;
    validateAttributeValue(value: import('./attribute-value.ts').AttributeValue): string | undefined;
  };
  export = validations;
}

declare module 'dynalite/validations/*' {
  const validation: { types: object; custom: unknown };
  export = validation;
}
