import { useState } from 'preact/hooks';
import type { Erased, FoundPerson } from '../../../../client/answers.ts';
import { normalisePhone } from '../../../../shared/contacts/rules.ts';
import { useWords } from '../../i18n/i18n.ts';
import { taskKeys } from '../../parts/tasks/queries.ts';
import { FormDialog, useDialog } from '../../ui/actions/dialog.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { eraseNumber, personKeys } from './person.ts';

type Props = { person: FoundPerson; onErased: (erased: Erased) => void; onClose: () => void };

/** Asks twice: what will happen, then for the number. */
export const EraseDialog = ({ person: { phoneNumber, doNotCall }, onErased, onClose }: Props) => {
  const t = useWords();
  const [isSure, setSure] = useState(false);
  const [keeps, setKeeps] = useState(true);
  const [typed, type] = useState('');
  const [isOther, setOther] = useState(false);
  const { form } = useDialog({
    change: () => eraseNumber(phoneNumber, keeps),
    onDone: onErased,
    refreshes: [...personKeys, ...taskKeys],
    onClose,
  });
  const confirm = () => {
    const isSame = normalisePhone(typed) === phoneNumber;
    setOther(!isSame);
    if (isSame) form.onSubmit();
  };
  return (
    <FormDialog
      // Another dialog, so that the focus goes to the field.
      key={String(isSure)}
      title={t.people.eraseTitle(phoneNumber)}
      action={isSure ? t.people.eraseNow : t.people.continue}
      kind="danger"
      {...form}
      onSubmit={isSure ? confirm : () => setSure(true)}
    >
      {isSure ? (
        <TextField
          label={t.people.typeNumber(phoneNumber)}
          value={typed}
          inputMode="tel"
          error={isOther ? t.people.otherNumber : undefined}
          onValue={type}
        />
      ) : (
        <>
          <p>{t.people.eraseWords}</p>
          <p>{t.people.eraseKeeps}</p>
          <p>{t.people.eraseCopies}</p>
          {doNotCall ? (
            <label class="row">
              <input
                type="checkbox"
                checked={keeps}
                onChange={(event) => setKeeps(event.currentTarget.checked)}
              />
              {t.people.keepBlocked}
            </label>
          ) : (
            <p class="why">{t.people.mayReturn}</p>
          )}
        </>
      )}
    </FormDialog>
  );
};
