import type { ImportPreview } from '../../../../client/answers.ts';
import { settings } from '../../base/page-settings.ts';
import { regionText } from '../../i18n/format.ts';
import { useWords } from '../../i18n/i18n.ts';

/** How the service compares numbers that are written differently, and what of a file's numbers may be a mistake. */
export const NumberNotes = ({ check }: { check?: ImportPreview['check'] }) => {
  const t = useWords();
  const { country } = settings;
  const { internationalCount: plus = 0, nationalCount: bare = 0, doubtfulCount: doubtful = 0 } = check ?? {};
  return (
    <>
      {country ? (
        <p class="faint">{t.numbers.country(regionText(country))}</p>
      ) : (
        <p class="why">{t.numbers.noCountry}</p>
      )}
      {plus > 0 && bare > 0 && <p class="why">{t.numbers.mixed(plus, bare)}</p>}
      {country && doubtful > 0 && <p class="why">{t.numbers.doubtful(doubtful, regionText(country))}</p>}
    </>
  );
};
