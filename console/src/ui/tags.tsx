import { useWords } from '../i18n/i18n.ts';
import { IconButton } from './button.tsx';

type TagsProps = { tags: readonly { id: string; label: string }[]; onRemove: (id: string) => void };

/** What was added so far; each entry can be removed. */
export const Tags = ({ tags, onRemove }: TagsProps) => {
  const t = useWords();
  if (tags.length === 0) return null;
  return (
    <ul class="tags row wrap">
      {tags.map(({ id, label }) => (
        <li key={id} class="tag row">
          <bdi>{label}</bdi>
          <IconButton label={`${t.common.remove} ${label}`} icon="cross" onClick={() => onRemove(id)} />
        </li>
      ))}
    </ul>
  );
};
