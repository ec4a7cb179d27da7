import type { TaskBoard } from '../../../../client/client.ts';
import { isBuiltIn } from '../../../../shared/platform/rules/names.ts';
import { useWords } from '../../i18n/i18n.ts';
import { importsPath } from '../../parts/lists/import-file.ts';
import { ImportProgress, useUnfinished } from '../../parts/lists/import-progress.tsx';
import { NamedLink } from '../../ui/figures/figures.tsx';
import { Card } from '../../ui/page/page.tsx';

/** The imports of all lists that have not ended. */
export const CurrentImports = ({ found }: { found: TaskBoard['runningImports'] }) => {
  const t = useWords();
  const unfinished = useUnfinished(found);
  if (unfinished.length === 0) return null;
  return (
    <Card title={t.imports.current}>
      <ul class="stack">
        {unfinished.map((each) => (
          <li key={each.importId}>
            <div class="row wrap">
              <NamedLink href={importsPath(each.dataSourceId)} name={each.fileName} />
              <span class="sub">
                {t.import.title(isBuiltIn(each.dataSourceId) ? t.doNotCall.title : each.dataSourceName)}
              </span>
            </div>
            <ImportProgress found={each} isNameless />
          </li>
        ))}
      </ul>
    </Card>
  );
};
