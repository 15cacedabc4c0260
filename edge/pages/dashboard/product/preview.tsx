// Shows a product's draft as shoppers and search engines will see it, before it is saved.
import { useState } from 'preact/hooks';
import { useFormats } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { Facts, Note } from '#edge/pages/design/display.tsx';
import { RichText } from '#edge/pages/storefront/rich_text.tsx';
import type { Product } from '#proto/client/dashboard.ts';
import type { ProductDraft } from './draft.ts';

interface PreviewProps {
  readonly product: Product;
  readonly draft: ProductDraft;
}

/** A sale price counts while it is below the price. */
const Price = ({ product, draft: { price, sale_price } }: PreviewProps) => {
  const { money } = useFormats();
  const { min, max } = product.price_range ?? { min: null, max: null };
  if (product.has_variants)
    return <p>{min === null || max === null || min === max ? money(min ?? 0) : `${money(min)} – ${money(max)}`}</p>;
  if (price === null) return <p class="soft">No price</p>;
  return sale_price !== null && sale_price < price ? (
    <p>
      <b>{money(sale_price)}</b> <s class="soft">{money(price)}</s>
    </p>
  ) : (
    <p>
      <b>{money(price)}</b>
    </p>
  );
};

const Page = ({ product, draft }: PreviewProps) => {
  const lines = draft.specifications.filter(({ name }) => name.trim() !== '');
  return (
    <article class="stack product-preview">
      {!draft.is_active && <Note tone="warn">It is hidden: shoppers do not see it.</Note>}
      <div class="preview-pictures">
        {draft.media
          .filter(({ type }) => type === 'image')
          .map(({ url, alt_text }) => (
            <img key={url} src={url} alt={alt_text || draft.name} />
          ))}
      </div>
      <h3>{draft.name}</h3>
      {draft.brand && <p class="soft">{draft.brand}</p>}
      <Price product={product} draft={draft} />
      <RichText text={draft.description} />
      {lines.length > 0 && (
        <Facts facts={lines.map(({ name, value, unit }) => [name, [value, unit].filter(Boolean).join(' ')] as const)} />
      )}
      <section aria-label="Search engines">
        <p class="soft">In a search engine</p>
        <b>{draft.seo_title || draft.name}</b>
        <p>{draft.seo_description || draft.description}</p>
      </section>
    </article>
  );
};

export const Preview = (props: PreviewProps) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button press={() => setOpen(true)}>Preview</Button>
      {open && (
        <Dialog title="Preview" close={() => setOpen(false)} wide>
          <Page {...props} />
          <div class="buttons">
            <Button press={() => setOpen(false)}>Close</Button>
          </div>
        </Dialog>
      )}
    </>
  );
};
