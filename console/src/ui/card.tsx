import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import './card.css';

type Props = { title: string; tools?: ComponentChildren; class?: string; children: ComponentChildren };

/** A part of a screen with a title of its own. */
export const Card = ({ title, tools, class: more = '', children }: Props) => {
  const id = useId();
  return (
    <section class={`card padded ${more}`} aria-labelledby={id}>
      <div class="card-title row wrap">
        <h2 id={id}>{title}</h2>
        {tools && <div class="row">{tools}</div>}
      </div>
      {children}
    </section>
  );
};
