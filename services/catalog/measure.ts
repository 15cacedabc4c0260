// What operators watch of the catalogues in this process.
import { gauge } from '#runtime/process/metric.ts';

interface Watched {
  /** Of those that are awake. */
  readonly size: number;
  readonly bytes: number;
}

let watched: Watched = { size: 0, bytes: 0 };

gauge('catalogues_awake', 'Catalogues in memory.', () => watched.size);
gauge('catalogues_bytes', 'About what the catalogues in memory take.', () => watched.bytes);

export const watchCatalogues = (pool: Watched): void => {
  watched = pool;
};
