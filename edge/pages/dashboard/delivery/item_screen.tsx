// The screen of one item of the shipping configuration, found by its id; `new` begins one.
import type { ComponentChildren } from 'preact';
import { at, useRecord, WhenLoaded } from '#edge/pages/dashboard/page.ts';
import { Empty, PageHead } from '#edge/pages/design/display.tsx';
import type { ShippingConfig } from '#proto/client/dashboard.ts';
import type { ConfigItems, ConfigList } from './config.ts';

export interface ItemProps<Item> {
  readonly config: ShippingConfig;
  /** Null: a new one. */
  readonly item: Item | null;
  /** JSON path in the request: `zones[2]`. */
  readonly path: string;
}

interface ItemScreenProps<L extends ConfigList> {
  readonly list: L;
  readonly id: string;
  /** “zone”. */
  readonly noun: string;
  readonly children: (props: ItemProps<ConfigItems[L]>) => ComponentChildren;
}

const UP = { label: 'Delivery', to: 'delivery' } as const;

export const ItemScreen = <L extends ConfigList>({ list, id, noun, children }: ItemScreenProps<L>) => {
  const loaded = useRecord((api) => api.shipping.config.get(), [id]);
  const up = { ...UP, to: at(UP.to) };
  return (
    <WhenLoaded loaded={loaded}>
      {(config) => {
        const items = config[list] as readonly unknown[] as readonly ConfigItems[L][];
        const index = id === 'new' ? items.length : items.findIndex((each) => each.id === id);
        if (index === -1)
          return (
            <>
              <PageHead title={`No such ${noun}`} up={up} />
              <Empty title={`This ${noun} is not there`}>It may have been removed.</Empty>
            </>
          );
        const item = items[index] ?? null;
        return (
          <div class="stack delivery">
            <PageHead title={item?.name ?? `New ${noun}`} up={up} />
            {children({ config, item, path: `${list}[${index}]` })}
          </div>
        );
      }}
    </WhenLoaded>
  );
};
