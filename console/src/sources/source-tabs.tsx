import type { ComponentChildren } from 'preact';
import { useWords } from '../i18n/i18n.ts';
import type { useImportAt } from '../imports/import-file.ts';
import { ImportHistory } from '../imports/import-history.tsx';
import { usePerson } from '../session/person.ts';
import { DropZone } from '../ui/drop-zone.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { useAddress } from '../ui/use-address.ts';

type Props = {
  sourceId: string;
  path: string;
  label: string;
  count?: number;
  importing: ReturnType<typeof useImportAt>;
  /** The contacts. */
  children: ComponentChildren;
};

/** The contacts of a list, and the files that they came in; takes a file that is dropped. */
export const SourceTabs = ({ sourceId, path, label, count, importing, children }: Props) => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const isImports = useAddress().text('tab') === 'imports';
  return (
    <>
      <Tabs
        label={label}
        tabs={[
          {
            href: path,
            label: t.contacts.title,
            current: !isImports,
            ...(count === undefined ? {} : { count }),
          },
          { href: `${path}?tab=imports`, label: t.imports.title, current: isImports },
        ]}
      />
      <DropZone onFiles={mayWrite ? importing.drop : undefined} label={t.sources.dropHere}>
        {isImports ? <ImportHistory sourceId={sourceId} /> : children}
      </DropZone>
    </>
  );
};
