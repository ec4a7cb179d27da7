import type { ImportPreview } from '../../../client/answers.ts';
import { settings } from '../api/page-settings.ts';
import { regionText } from '../i18n/format.ts';
import { useWords } from '../i18n/i18n.ts';

/** How the service compares numbers that are written differently. */
export const CountryNote = () => {
  const t = useWords();
  const { country } = settings;
  return country ? (
    <p class="faint">{t.numbers.country(regionText(country))}</p>
  ) : (
    <p class="why">{t.numbers.noCountry}</p>
  );
};

/** What of a file's numbers may be a mistake. */
export const NumberNotes = ({ check }: { check: NonNullable<ImportPreview['check']> }) => {
  const t = useWords();
  const { internationalCount: plus, nationalCount: bare, doubtfulCount: doubtful } = check;
  const { country } = settings;
  return (
    <>
      {plus > 0 && bare > 0 && <p class="why">{t.numbers.mixed(plus, bare)}</p>}
      {country && doubtful > 0 && <p class="why">{t.numbers.doubtful(doubtful, regionText(country))}</p>}
    </>
  );
};
