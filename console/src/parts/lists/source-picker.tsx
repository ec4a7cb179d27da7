import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { useWords } from '../../i18n/i18n.ts';
import { Combobox, type ComboboxProps } from '../../ui/fields/combobox.tsx';
import { sourcesQuery } from './queries.ts';

type Picked = { id: string; name: string };

type Props = Omit<ComboboxProps, 'value' | 'choices' | 'none' | 'onOpen' | 'onType' | 'onChoose'> & {
  value?: string;
  without?: readonly string[];
  onPick: (picked: Picked) => void;
};

const pauseMs = 250;

/** There may be thousands of contact lists: the newest are offered in an open field, the others while the reader types. */
export const SourcePicker = ({ value = '', without = [], onPick, ...rest }: Props) => {
  const t = useWords();
  const [typed, setTyped] = useState('');
  const [searched, setSearched] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearched(typed.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const [isOpened, setOpened] = useState(false);
  const sources = useQuery({ ...sourcesQuery(searched, 1), enabled: isOpened, refetchInterval: false });
  const choices = (sources.data?.rows ?? [])
    .filter(({ id }) => !without.includes(id))
    .map(({ id, dataSourceName, contactCount }) => ({
      id,
      label: dataSourceName,
      note: t.contacts.total(contactCount),
    }));
  return (
    <Combobox
      {...rest}
      value={value}
      choices={choices}
      none={sources.data && t.sources.noMatch}
      onOpen={() => setOpened(true)}
      onType={setTyped}
      onChoose={({ id, label }) => onPick({ id, name: label })}
    />
  );
};
