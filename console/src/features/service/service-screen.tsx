import { useQuery } from '@tanstack/preact-query';
import { listText, numberText, regionText, useWords } from '../../i18n/i18n.ts';
import { serviceQuery } from '../../parts/service/service.ts';
import { SettingsTabs } from '../../parts/service/settings-tabs.tsx';
import { lastingWords, limitWords } from '../../parts/settings/retry-controls.tsx';
import { Facts } from '../../ui/figures/figures.tsx';
import { Awaited, Page } from '../../ui/page/page.tsx';

/** The rules that hold for all tasks, whatever their own settings are. */
export const ServiceScreen = () => {
  const t = useWords();
  const words = t.service;
  const service = useQuery(serviceQuery);
  const rules = service.data;
  const limit = (most: number | null) => (most === null ? t.form.noLimit : numberText(most));
  return (
    <Page title={t.settings}>
      <SettingsTabs current="service" />
      <p class="sub">{words.words}</p>
      <Awaited query={service} />
      {rules && (
        <Facts
          facts={[
            [words.hours, rules.callingHours ?? words.anyHour],
            [words.perDay, limit(rules.maxCallsPerNumberPerDay)],
            [words.limits, listText(rules.callLimits.map((each) => limitWords(each, t))) || t.form.noLimit],
            [
              words.rest,
              rules.restAfterSuccess > 0 ? lastingWords(rules.restAfterSuccess * 3600, t) : t.common.none,
            ],
            [words.atOnce, limit(rules.maxConcurrentCalls)],
            [words.zone, rules.timeZone],
            [words.zoneData, rules.timeZoneData],
            [words.country, rules.country === null ? t.common.none : regionText(rules.country)],
            [words.rows, numberText(rules.importMaxRows)],
            [words.version, rules.version],
          ]}
        />
      )}
    </Page>
  );
};
