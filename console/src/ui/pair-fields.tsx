import { useWords } from '../i18n/i18n.ts';
import { RowsField, type RowsProps } from './rows-field.tsx';

export type Pair = { name: string; value: string };

type PairProps = Omit<RowsProps<Pair>, 'fresh' | 'nameOf' | 'children'> & { nameAtMost: number };

/** Values under names that the reader chooses. */
export const PairFields = ({ nameAtMost, ...rest }: PairProps) => {
  const t = useWords();
  const labels = { name: t.contacts.fieldName, value: t.contacts.fieldValue };
  return (
    <RowsField
      {...rest}
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
