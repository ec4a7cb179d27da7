import { useEffect, useState } from 'preact/hooks';
import { useWords } from '../i18n/i18n.ts';
import { useSources } from '../tasks/queries.ts';
import { Combobox } from '../ui/combobox.tsx';

export type Picked = { id: string; name: string };

type Props = {
  id?: string;
  label?: string;
  describedBy?: string | undefined;
  invalid?: boolean;
  value?: string;
  placeholder: string;
  without?: readonly string[];
  again?: boolean;
  onPick: (picked: Picked) => void;
};

const pauseMs = 250;

/** Thousands of data sources: the newest at once, the others as one types. */
export const SourcePicker = ({ value = '', without = [], onPick, ...rest }: Props) => {
  const t = useWords();
  const [typed, setTyped] = useState('');
  const [searched, setSearched] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearched(typed.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const sources = useSources(searched, 1, 20);
  const choices = (sources.data?.rows ?? [])
    .filter(({ id }) => !without.includes(id))
    .map(({ id, dataSourceName, contactCount }) => ({
      id,
      label: dataSourceName,
      note: t.sources.counted(contactCount),
    }));
  return (
    <Combobox
      {...rest}
      value={value}
      choices={choices}
      none={sources.data && t.sources.noMatch}
      onType={setTyped}
      onChoose={({ id, label }) => onPick({ id, name: label })}
    />
  );
};
