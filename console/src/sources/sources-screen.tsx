import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { troubleOf } from '../api/errors.ts';
import { numberText } from '../i18n/format.ts';
import { useWords } from '../i18n/i18n.ts';
import { usePerson } from '../session/person.ts';
import { useAddSource, useUpdateSource } from '../tasks/changes.ts';
import { useSources } from '../tasks/queries.ts';
import { Awaited } from '../ui/awaited.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Moment } from '../ui/moment.tsx';
import { Page } from '../ui/page.tsx';
import { Pager } from '../ui/pager.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { say } from '../ui/toast.tsx';
import { useAddress, useExistingPage } from '../ui/use-address.ts';

const pageSize = 20;

type Source = { id: string; dataSourceName: string; dataSourceDesc: string };

/** Adds a data source, or changes the name and description of one. */
export const SourceDialog = ({ source, onClose }: { source?: Source; onClose: () => void }) => {
  const t = useWords();
  const [, navigate] = useLocation();
  const [name, setName] = useState(source?.dataSourceName ?? '');
  const [description, setDescription] = useState(source?.dataSourceDesc ?? '');
  const add = useAddSource();
  const update = useUpdateSource();
  const error = add.error ?? update.error;
  const trouble = troubleOf(error, t, {
    taken: 'dataSourceName',
    shown: ['dataSourceName', 'dataSourceDesc'],
  });
  const submit = () => {
    const fields = { dataSourceName: name.trim(), dataSourceDesc: description };
    if (source !== undefined) {
      update.mutate(
        { id: source.id, ...fields },
        {
          onSuccess: () => {
            say(t.sources.saved);
            onClose();
          },
        },
      );
      return;
    }
    add.mutate(fields, {
      onSuccess: ({ id, dataSourceName }) => {
        say(t.sources.added(dataSourceName));
        onClose();
        navigate(`/sources/${id}`);
      },
    });
  };
  return (
    <FormDialog
      title={source ? t.sources.edit : t.sources.new}
      action={source ? t.common.save : t.common.add}
      busy={add.isPending || update.isPending}
      refused={trouble.whole}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        label={t.sources.name}
        value={name}
        error={trouble.fields.dataSourceName}
        onValue={setName}
      />
      <TextField
        label={`${t.sources.description} (${t.common.optional})`}
        value={description}
        error={trouble.fields.dataSourceDesc}
        onValue={setDescription}
      />
    </FormDialog>
  );
};

export const SourcesScreen = () => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const [, navigate] = useLocation();
  const address = useAddress();
  const [adding, setAdding] = useState(false);
  const name = address.text('q');
  const sources = useSources(name, address.page, pageSize);
  useExistingPage(address, sources, pageSize);
  const rows = sources.data?.rows ?? [];
  const isEmpty = sources.data?.total === 0 && name === '';
  return (
    <Page
      title={t.sources.title}
      actions={
        mayWrite &&
        !isEmpty && (
          <>
            <Button icon="plus" onClick={() => setAdding(true)}>
              {t.sources.new}
            </Button>
            <Button kind="primary" icon="upload" onClick={() => navigate('/import')}>
              {t.sources.importFile}
            </Button>
          </>
        )
      }
    >
      {!isEmpty && (
        <div class="toolbar">
          <SearchBox
            label={t.sources.search}
            value={name}
            onSearch={(q) => address.change({ q, page: undefined }, { replace: true })}
          />
        </div>
      )}
      <Awaited query={sources} />
      {isEmpty && (
        <Empty icon="sources" title={t.sources.emptyTitle} words={t.sources.empty}>
          {mayWrite && (
            <>
              <Button kind="primary" icon="upload" onClick={() => navigate('/import')}>
                {t.sources.importFile}
              </Button>
              <Button icon="plus" onClick={() => setAdding(true)}>
                {t.sources.new}
              </Button>
            </>
          )}
        </Empty>
      )}
      {sources.data?.total === 0 && name !== '' && <Empty icon="search" words={t.sources.noMatch} />}
      {rows.length > 0 && (
        <div class="card table-card">
          <table class="table">
            <thead>
              <tr>
                <th>{t.common.name}</th>
                <th class="number">{t.sources.contacts}</th>
                <th class="wide">{t.common.created}</th>
                <th class="wide">{t.sources.updated}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((source) => (
                <tr key={source.id}>
                  <td class="main-cell">
                    <Link href={`/sources/${source.id}`} class="row-link" title={source.dataSourceName}>
                      <bdi>{source.dataSourceName}</bdi>
                    </Link>
                    {source.dataSourceDesc && (
                      <div class="sub">
                        <bdi>{source.dataSourceDesc}</bdi>
                      </div>
                    )}
                  </td>
                  <td class="number">{numberText(source.contactCount)}</td>
                  <td class="wide">
                    <Moment time={source.createTime} />
                  </td>
                  <td class="wide">
                    <Moment time={source.updateTime} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <Pager
            total={sources.data?.total ?? 0}
            page={address.page}
            pageSize={pageSize}
            onPage={address.toPage}
          />
        </div>
      )}
      {adding && <SourceDialog onClose={() => setAdding(false)} />}
    </Page>
  );
};
