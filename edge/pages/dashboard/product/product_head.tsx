// The head of a product's screens: its name, its tabs, the way to it in the shop, and its removal.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { at, ProblemNote, useCan, useStore, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Confirm } from '#edge/pages/design/dialog.tsx';
import { Badge, PageHead, Tabs } from '#edge/pages/design/display.tsx';
import type { Product } from '#proto/client/dashboard.ts';

interface ProductHeadProps {
  readonly product: Product;
  readonly tab: 'details' | 'variants';
  readonly removed: () => void;
  /** Further buttons. */
  readonly children?: ComponentChildren;
}

export const ProductHead = ({ product, tab, removed, children }: ProductHeadProps) => {
  const can = useCan();
  const { website_url } = useStore();
  const [asked, setAsked] = useState(false);
  const remove = useWrite();
  const { id, name, product_slug, is_active } = product;
  const confirm = async (): Promise<void> => {
    const done = await remove.run((api) => api.products.delete({ id }), { done: `${name} is deleted.` });
    if (done) removed();
  };
  return (
    <>
      <PageHead
        title={name}
        up={{ label: 'Products', to: at('products') }}
        badge={is_active === false && <Badge>hidden</Badge>}
      >
        {children}
        {website_url && product_slug && is_active !== false && (
          <a
            class="button"
            target="_blank"
            rel="noreferrer"
            href={`${website_url.replace(/\/$/, '')}/products/${product_slug}`}
          >
            See it in the shop
          </a>
        )}
        {can('catalog:write') && (
          <Button tone="danger" press={() => setAsked(true)}>
            Delete
          </Button>
        )}
      </PageHead>
      <Tabs
        label="Product"
        tabs={[
          { label: 'Details', to: at(`products/${id}`), current: tab === 'details' },
          {
            label: 'Variants',
            to: at(`products/${id}/variants`),
            current: tab === 'variants',
            count: product.variant_count ?? undefined,
          },
        ]}
      />
      {asked && (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete the product"
          busy={remove.busy}
          confirm={() => void confirm()}
          close={() => setAsked(false)}
        >
          <p>It leaves the shop and every list. Orders keep what they recorded. It cannot be brought back.</p>
          <ProblemNote problem={remove.problem} />
        </Confirm>
      )}
    </>
  );
};
