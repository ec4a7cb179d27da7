import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useWords } from '../i18n/i18n.ts';
import { personPath } from '../people/person.ts';
import { SearchInput } from '../ui/search-box.tsx';

/** Leads to the page of a phone number from anywhere. */
export const FindNumber = () => {
  const t = useWords();
  const [, navigate] = useLocation();
  const [typed, type] = useState('');
  const find = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.isComposing || typed.trim() === '') return;
    navigate(personPath(typed.trim()));
    type('');
  };
  return (
    <search class="find">
      <SearchInput
        label={t.people.find}
        inputMode="tel"
        enterKeyHint="search"
        value={typed}
        onValue={type}
        onKeyDown={find}
        data-find
      />
    </search>
  );
};
