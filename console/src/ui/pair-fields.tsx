import { useWords } from '../i18n/i18n.ts';
import { RowsField } from './rows-field.tsx';

export type Pair = { name: string; value: string };

type Props = {
  label: string;
  pairs: readonly Pair[];
  onPairs: (pairs: Pair[]) => void;
  nameAtMost: number;
  atMost?: number;
  error?: string | undefined;
  hint?: string;
};

/** Values under names that the reader chooses. */
export const PairFields = ({ pairs, onPairs, nameAtMost, ...rest }: Props) => {
  const t = useWords();
  const labels = { name: t.contacts.fieldName, value: t.contacts.fieldValue };
  return (
    <RowsField
      {...rest}
      rows={pairs}
      onRows={onPairs}
      fresh={{ label: t.contacts.addField, row: { name: '', value: '' } }}
      nameOf={({ name }) => name}
    >
      {(pair, put) =>
        (['name', 'value'] as const).map((part) => (
          <input
            key={part}
            aria-label={labels[part]}
            placeholder={labels[part]}
            value={pair[part]}
            dir="auto"
            aria-invalid={rest.error !== undefined}
            {...(part === 'name' ? { maxLength: nameAtMost } : {})}
            onInput={(event) => put({ [part]: event.currentTarget.value })}
          />
        ))
      }
    </RowsField>
  );
};
