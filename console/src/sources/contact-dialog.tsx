import { useState } from 'preact/hooks';
import { troubleOf } from '../api/errors.ts';
import { type Dictionary, useWords } from '../i18n/i18n.ts';
import { type ContactFields, useDeleteContact, useSaveContact } from '../tasks/changes.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { say } from '../ui/toast.tsx';

export type Contact = { id: string; phoneNumber: string; [field: string]: unknown };

const known = ['customerName', 'address', 'orderAmount'] as const;
const reserved = [
  'id',
  'contactId',
  'dataSourceId',
  'phoneNumber',
  'status',
  'callCount',
  'createTime',
  'updateTime',
  ...known,
];

type Own = { name: string; value: string };

const ownOf = (contact: Contact | undefined): Own[] =>
  Object.entries(contact ?? {})
    .filter(([name]) => !reserved.includes(name))
    .map(([name, value]) => ({ name, value: String(value) }));

/**
 * What would be dropped in silence: a value without a name, a name that is the service's own, has a place in the form
 * or is there twice.
 */
const faultIn = (own: readonly Own[], t: Dictionary): string | undefined => {
  const nameless = own.find(({ name, value }) => name.trim() === '' && value !== '');
  if (nameless) return t.contacts.namelessField(nameless.value);
  const taken = own
    .map(({ name }) => name.trim())
    .find((name, i, all) => reserved.includes(name) || (name !== '' && all.indexOf(name) < i));
  return taken === undefined ? undefined : t.contacts.badField(taken);
};

const text = (value: unknown) => (value === undefined || value === null ? '' : String(value));

/** What an edit sends: every field that is filled in, and null for those that were taken away. */
const fieldsOf = (
  contact: Contact | undefined,
  phoneNumber: string,
  values: Record<string, string>,
  own: readonly Own[],
): ContactFields => {
  const named = own.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]);
  const kept = Object.fromEntries(named) as Record<string, string>;
  const gone = ownOf(contact)
    .filter(({ name }) => !Object.hasOwn(kept, name))
    .map(({ name }) => [name, null]);
  const filled = Object.entries(values).filter(
    ([name, value]) => value !== '' || text(contact?.[name]) !== '',
  );
  return { ...Object.fromEntries(filled), ...kept, ...Object.fromEntries(gone), phoneNumber };
};

export const ContactDialog = ({
  sourceId,
  contact,
  short = false,
  onClose,
}: {
  sourceId: string;
  contact?: Contact;
  /** A number is enough, such as on the do-not-call list. */
  short?: boolean;
  onClose: () => void;
}) => {
  const t = useWords();
  const [phoneNumber, setPhone] = useState(contact?.phoneNumber ?? '');
  const [values, setValues] = useState<Record<string, string>>(
    Object.fromEntries(known.map((name) => [name, text(contact?.[name])])),
  );
  const [own, setOwn] = useState<Own[]>(ownOf(contact));
  const [fault, setFault] = useState<string | undefined>();
  const save = useSaveContact(sourceId);
  const trouble = troubleOf(save.error, t, { taken: 'phoneNumber', shown: ['phoneNumber'] });
  const labels = {
    customerName: t.contacts.name,
    address: t.contacts.address,
    orderAmount: t.contacts.amount,
  };
  const submit = () => {
    const found = faultIn(own, t);
    setFault(found);
    if (found !== undefined) return;
    save.mutate(
      { contactId: contact?.id, fields: fieldsOf(contact, phoneNumber.trim(), values, own) },
      {
        onSuccess: () => {
          say(contact ? t.contacts.saved(phoneNumber) : t.contacts.added(phoneNumber));
          onClose();
        },
      },
    );
  };
  const putOwn = (at: number, part: Partial<Own>) =>
    setOwn(own.map((field, i) => (i === at ? { ...field, ...part } : field)));
  return (
    <FormDialog
      title={contact ? t.contacts.editTitle(contact.phoneNumber) : short ? t.doNotCall.add : t.contacts.add}
      action={contact ? t.common.save : t.common.add}
      busy={save.isPending}
      refused={fault ?? trouble.whole}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        label={t.contacts.phone}
        value={phoneNumber}
        inputMode="tel"
        error={trouble.fields.phoneNumber}
        onValue={setPhone}
      />
      {known.slice(0, short ? 1 : known.length).map((name) => (
        <TextField
          key={name}
          label={labels[name]}
          value={values[name] ?? ''}
          onValue={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
      {!short && (
        <fieldset class="field">
          <legend class="label">{t.contacts.fields}</legend>
          {own.map((field, i) => (
            <div key={i} class="pair">
              <input
                aria-label={t.contacts.fieldName}
                placeholder={t.contacts.fieldName}
                value={field.name}
                maxLength={64}
                dir="auto"
                onInput={(event) => putOwn(i, { name: event.currentTarget.value })}
              />
              <input
                aria-label={t.contacts.fieldValue}
                placeholder={t.contacts.fieldValue}
                value={field.value}
                dir="auto"
                onInput={(event) => putOwn(i, { value: event.currentTarget.value })}
              />
              <IconButton
                label={`${t.common.remove} ${field.name}`}
                icon="cross"
                onClick={() => setOwn(own.filter((_, at) => at !== i))}
              />
            </div>
          ))}
          <Button kind="quiet" icon="plus" onClick={() => setOwn([...own, { name: '', value: '' }])}>
            {t.contacts.addField}
          </Button>
        </fieldset>
      )}
    </FormDialog>
  );
};

export const DeleteContactDialog = ({
  sourceId,
  contact,
  words,
  onClose,
}: {
  sourceId: string;
  contact: Contact;
  words: string;
  onClose: () => void;
}) => {
  const t = useWords();
  const remove = useDeleteContact(sourceId);
  const submit = () =>
    remove.mutate(contact.id, {
      onSuccess: () => {
        say(t.contacts.deleted(contact.phoneNumber));
        onClose();
      },
    });
  return (
    <FormDialog
      title={t.contacts.deleteTitle(contact.phoneNumber)}
      action={t.common.delete}
      kind="danger"
      first="cancel"
      busy={remove.isPending}
      refused={troubleOf(remove.error, t).whole}
      onClose={onClose}
      onSubmit={submit}
    >
      <p>{words}</p>
    </FormDialog>
  );
};
