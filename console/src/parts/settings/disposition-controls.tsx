import type { TaskOverview } from '../../../../client/client.ts';
import { taskSettings } from '../../../../shared/tasks/rules/task-settings.ts';
import { type Dictionary, useWords } from '../../i18n/i18n.ts';
import { Select } from '../../ui/fields/field.tsx';
import { RowsField } from '../../ui/fields/rows-field.tsx';
import { dispositionName } from '../tasks/task-words.ts';
import { lastingWords } from './retry-controls.tsx';
import { type ControlProps, isLimit } from './setting.ts';

type Disposition = TaskOverview['dispositions'][number];
type Effect = NonNullable<Disposition['then']>;
/** As the form holds it; an empty effect leaves the decision to the outcome. */
export type DispositionDraft = { code: string; label: string; effect: Effect | ''; rest: string };

const { dispositions } = taskSettings;
const { code, label, then: effects, restHours } = dispositions.items.properties;

export const dispositionDraft = (declared: Disposition): DispositionDraft => ({
  code: declared.code,
  label: declared.label ?? '',
  effect: declared.then ?? '',
  rest: String(declared.restHours ?? ''),
});

export const dispositionOf = (draft: DispositionDraft): Disposition => ({
  code: draft.code.trim(),
  ...(draft.label.trim() !== '' && { label: draft.label.trim() }),
  ...(draft.effect !== '' && { then: draft.effect }),
  ...(draft.rest.trim() !== '' && { restHours: Number(draft.rest) }),
});

/** Rows in which nothing was typed do not count. */
export const filledDispositions = (drafts: readonly DispositionDraft[]): DispositionDraft[] =>
  drafts.filter((draft) => `${draft.code}${draft.label}`.trim() !== '');

export const areDispositionsWrong = (drafts: readonly DispositionDraft[]): boolean => {
  const codes = filledDispositions(drafts).map((draft) => draft.code.trim());
  const areRests = filledDispositions(drafts).every(({ rest }) => isLimit(rest, restHours));
  return !areRests || codes.includes('') || new Set(codes).size < codes.length;
};

export const dispositionWords = (declared: Disposition, t: Dictionary): string => {
  const { then, restHours: hours } = declared;
  const said = [then && t.form.effects[then], hours && t.form.rest(lastingWords(hours * 3600, t))];
  const words = said.filter((each) => each !== undefined && each !== 0);
  const name = dispositionName(declared);
  return words.length === 0 ? name : t.form.withEffects(name, words as string[]);
};

/** What a dialer may report as the business result, and what each decides. */
export const DispositionsControl = (props: ControlProps<DispositionDraft[]>) => {
  const t = useWords();
  const { label: title, error, hint, value: rows, onValue } = props;
  const options = [
    { value: '', label: t.form.noEffect },
    ...effects.enum.map((value) => ({ value, label: t.form.effects[value] })),
  ];
  return (
    <RowsField
      {...{ label: title, error, hint, rows }}
      onRows={onValue}
      atMost={dispositions.maxItems}
      fresh={{ label: t.form.addDisposition, row: { code: '', label: '', effect: '', rest: '' } }}
      nameOf={(row) => row.code}
    >
      {(row, put) => (
        <>
          <input
            aria-label={t.form.dispositionCode}
            placeholder={t.form.dispositionCode}
            maxLength={code.maxLength}
            value={row.code}
            aria-invalid={error !== undefined}
            onInput={(event) => put({ code: event.currentTarget.value })}
          />
          <input
            aria-label={t.form.dispositionLabel}
            placeholder={t.form.dispositionLabel}
            maxLength={label.maxLength}
            dir="auto"
            value={row.label}
            onInput={(event) => put({ label: event.currentTarget.value })}
          />
          <Select
            label={t.form.effect}
            value={row.effect}
            options={options}
            onValue={(effect) => put({ effect: effect as DispositionDraft['effect'] })}
          />
          <input
            aria-label={t.form.restHours}
            placeholder={t.form.restHours}
            inputMode="numeric"
            value={row.rest}
            aria-invalid={error !== undefined}
            onInput={(event) => put({ rest: event.currentTarget.value })}
          />
        </>
      )}
    </RowsField>
  );
};
