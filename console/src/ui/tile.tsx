import './tile.css';

export type Figure = { label: string; value: string; note?: string | undefined };

/** Figures side by side, each with its name above and what explains it below. */
export const Tiles = ({ figures, label }: { figures: readonly Figure[]; label?: string }) => (
  <dl class="tiles card" aria-label={label}>
    {figures.map((figure) => (
      <div key={figure.label} class="tile">
        <dt class="sub">{figure.label}</dt>
        <dd>
          <span class="tile-value">{figure.value}</span>
          {figure.note !== undefined && <span class="sub">{figure.note}</span>}
        </dd>
      </div>
    ))}
  </dl>
);
