import { useWords } from '../../i18n/i18n.ts';
import { usePerson } from '../../session/session.ts';
import { Tabs } from '../../ui/page/page.tsx';

/** The parts of the settings: what holds for all tasks, and for operators where events are sent to. */
export const SettingsTabs = ({ current }: { current: 'service' | 'webhooks' }) => {
  const t = useWords();
  const { mayWrite } = usePerson();
  return (
    <Tabs
      label={t.settings}
      tabs={[
        { href: '/service', label: t.service.title, current: current === 'service' },
        ...(mayWrite ? [{ href: '/webhooks', label: t.webhooks, current: current === 'webhooks' }] : []),
      ]}
    />
  );
};
