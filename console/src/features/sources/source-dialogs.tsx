import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { ServiceRefusal } from '../../../../client/service-error.ts';
import { fieldNameAtMost, knownFields } from '../../../../shared/contacts/rules/contact.ts';
import { type Dictionary, listText, useWords } from '../../i18n/i18n.ts';
import {
  addSource,
  type ContactFields,
  deleteAllContacts,
  deleteSource,
  saveContact,
  updateSource,
} from '../../parts/lists/changes.ts';
import { isFixedField, ownFieldsOf } from '../../parts/lists/contact-fields.ts';
import { type Contact, sourceKeys } from '../../parts/lists/queries.ts';
import { overviewsQuery } from '../../parts/tasks/queries.ts';
import { ConfirmDialog, FormDialog, useDialog } from '../../ui/actions/dialog.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { type Pair, PairFields } from '../../ui/fields/rows-field.tsx';

type Source = { id: string; dataSourceName: string; dataSourceDesc: string; contactCount: number };

/** Adds a contact list, or changes its name and description. */
export const SourceDialog = ({ source, onClose }: { source?: Source; onClose: () => void }) => {
  const t = useWords();
  const [, navigate] = useLocation();
  const [name, setName] = useState(source?.dataSourceName ?? '');
  const [description, setDescription] = useState(source?.dataSourceDesc ?? '');
  const dialog = useDialog({
    change: (): Promise<{ id: string }> => {
      const fields = { dataSourceName: name.trim(), dataSourceDesc: description };
      return source === undefined ? addSource(fields) : updateSource(source.id, fields);
    },
    said: () => (source === undefined ? t.sources.added(name.trim()) : t.common.saved),
    onDone: ({ id }) => source === undefined && navigate(`/sources/${id}`),
    refreshes: sourceKeys,
    taken: 'dataSourceName',
    shown: ['dataSourceName', 'dataSourceDesc'],
    onClose,
  });
  return (
    <FormDialog
      title={source ? t.sources.edit : t.sources.new}
      action={source ? t.common.save : t.common.add}
      {...dialog.form}
    >
      <TextField label={t.sources.name} value={name} error={dialog.fields.dataSourceName} onValue={setName} />
      <TextField
        label={t.common.optional(t.setting.taskDesc.label)}
        value={description}
        error={dialog.fields.dataSourceDesc}
        onValue={setDescription}
      />
    </FormDialog>
  );
};

/** Names the tasks that use the list, once their names are known. */
const useInUseWords = (error: unknown): string | undefined => {
  const t = useWords();
  const { ids = [], count = 0 } = (error instanceof ServiceRefusal && error.tasks) || {};
  const { data: tasks } = useQuery({ ...overviewsQuery(ids), refetchInterval: false });
  const names = ids.flatMap((id) => tasks?.get(id)?.taskName ?? []);
  if (names.length === 0) return undefined;
  const others = count > ids.length ? [t.sources.others(count - ids.length)] : [];
  return t.sources.inUse(listText([...names, ...others]));
};

export const DeleteSourceDialog = ({ source, onClose }: { source: Source; onClose: () => void }) => {
  const t = useWords();
  const [, navigate] = useLocation();
  const { form, error } = useDialog({
    change: () => deleteSource(source.id),
    said: () => t.common.deleted(source.dataSourceName),
    onDone: () => navigate('/sources'),
    // The screen of the list is left: it would ask for a list that is gone.
    refreshes: ['sources'],
    onClose,
  });
  const inUse = useInUseWords(error);
  return (
    <FormDialog
      title={t.common.deleteTitle(source.dataSourceName)}
      action={t.common.delete}
      kind="danger"
      {...form}
      refused={inUse ?? form.refused}
    >
      <p>{t.sources.deleteWords(source.contactCount)}</p>
    </FormDialog>
  );
};

/** What would be dropped in silence: a value without a name, or a name that is in use already. */
const faultIn = (own: readonly Pair[], t: Dictionary): string | undefined => {
  const nameless = own.find(({ name, value }) => name.trim() === '' && value !== '');
  if (nameless) return t.contacts.namelessField(nameless.value);
  const taken = own
    .map(({ name }) => name.trim())
    .find((name, i, all) => isFixedField(name) || (name !== '' && all.indexOf(name) < i));
  return taken === undefined ? undefined : t.contacts.badField(taken);
};

/** What an edit sends: every field that is filled in, and null for each field that was removed. */
const fieldsOf = (contact: Partial<Contact>, values: Record<string, string>, own: readonly Pair[]) => {
  const filled = Object.entries(values).filter(([name, value]) => value !== '' || contact[name]);
  const removed = ownFieldsOf(contact).map((name) => [name, null]);
  const kept = own.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]);
  return Object.fromEntries([...filled, ...removed, ...kept]) as ContactFields;
};

type Props = { sourceId: string; onClose: () => void };

/** `short`: a number is enough, such as on the do-not-call list. */
type ContactProps = Props & { contact?: Partial<Contact>; short: boolean; addWords: string };

export const ContactDialog = ({ sourceId, contact = {}, short, addWords, onClose }: ContactProps) => {
  const t = useWords();
  const { id, phoneNumber = '' } = contact;
  const [values, setValues] = useState<Record<string, string>>(
    Object.fromEntries(['phoneNumber', ...knownFields].map((name) => [name, String(contact[name] ?? '')])),
  );
  const [own, setOwn] = useState<Pair[]>(
    ownFieldsOf(contact).map((name) => ({ name, value: String(contact[name]) })),
  );
  const [fault, setFault] = useState<string | undefined>();
  const dialog = useDialog({
    change: () => saveContact(sourceId, id, fieldsOf(contact, values, own)),
    said: () => (id ? t.contacts.saved : t.contacts.added)(values.phoneNumber ?? ''),
    refreshes: sourceKeys,
    taken: 'phoneNumber',
    shown: ['phoneNumber'],
    onClose,
  });
  const submit = () => {
    const found = faultIn(own, t);
    setFault(found);
    if (found === undefined) dialog.form.onSubmit();
  };
  return (
    <FormDialog
      title={id ? t.contacts.editTitle(phoneNumber) : addWords}
      action={id ? t.common.save : t.common.add}
      {...dialog.form}
      refused={fault ?? dialog.form.refused}
      onSubmit={submit}
    >
      {(['phoneNumber', ...knownFields.slice(0, short ? 1 : undefined)] as const).map((name) => (
        <TextField
          key={name}
          label={t.title[name]}
          value={values[name] ?? ''}
          inputMode={name === 'phoneNumber' ? 'tel' : undefined}
          error={dialog.fields[name]}
          onValue={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
      {!short && (
        <PairFields
          label={t.contacts.fields}
          rows={own}
          onRows={setOwn}
          nameAtMost={fieldNameAtMost}
          add={t.contacts.addField}
        />
      )}
    </FormDialog>
  );
};

type DeleteProps = Props & {
  /** The number of each contact, by its id. */
  contacts: ReadonlyMap<string, string>;
  words: { deleteWords: string; deleteManyWords: string };
  onDone: () => void;
};

export const DeleteContactsDialog = ({ sourceId, contacts, words, onDone, onClose }: DeleteProps) => {
  const t = useWords();
  const [phone, ...others] = contacts.values();
  const only = others.length === 0 ? phone : undefined;
  return (
    <ConfirmDialog
      title={only ? t.contacts.deleteTitle(only) : t.contacts.deleteManyTitle(contacts.size)}
      action={t.common.delete}
      kind="danger"
      change={() => deleteAllContacts(sourceId, [...contacts.keys()])}
      said={(count) =>
        only && count === 1 ? t.contacts.deleted(only) : t.contacts.deletedMany(count, contacts.size - count)
      }
      onDone={onDone}
      refreshes={sourceKeys}
      words={only ? words.deleteWords : words.deleteManyWords}
      onClose={onClose}
    />
  );
};
