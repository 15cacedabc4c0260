// A price in the grid, edited in place. If another person has changed it meanwhile, both prices are shown and nothing is saved.
import { useState } from 'preact/hooks';
import { problemOf, problemText, useCall, useFormats } from '#edge/pages/dashboard/page.ts';
import { Confirm } from '#edge/pages/design/dialog.tsx';
import { toast } from '#edge/pages/design/toast.tsx';
import { EditCell } from './edit_cell.tsx';

type Price = number | null;

export interface PricedProduct {
  readonly id: string;
  readonly name: string;
  readonly price: Price;
  readonly updated_at: string | null;
}

interface PriceEditorProps {
  readonly product: PricedProduct;
  readonly show: (product: PricedProduct) => void;
}

interface PriceConflict {
  readonly now: PricedProduct;
  readonly mine: Price;
}

const tell = (refusal: string): void => {
  if (refusal) toast(refusal);
};

export const PriceEditor = ({ product, show }: PriceEditorProps) => {
  const { money } = useFormats();
  const call = useCall();
  const [conflict, setConflict] = useState<PriceConflict | null>(null);
  const priceText = (price: Price): string => (price === null ? 'no price' : money(price));
  const read = async (): Promise<PricedProduct> => {
    const { id, name, price = null, updated_at = null } = await call((api) => api.products.get({ id: product.id }));
    return { id, name, price, updated_at };
  };

  /** Answers why it was not saved; empty if it was, or if the dialog asks. */
  const write = async (before: PricedProduct, price: Price, isUndo = false): Promise<string> => {
    const { id, name, updated_at } = before;
    try {
      const saved = await call((api) =>
        api.products.update({ id, price, ...(updated_at === null ? {} : { version: updated_at }) }),
      );
      const after = { id, name, price: saved.price ?? null, updated_at: saved.updated_at ?? null };
      show(after);
      if (isUndo) toast('Undone.');
      else toast(`${name} now costs ${priceText(price)}.`, () => void write(after, before.price, true).then(tell));
      return '';
    } catch (refused) {
      const problem = problemOf(refused);
      return problem.status === 409 && problem.param === 'version'
        ? compare(before, price, isUndo)
        : problemText(problem);
    }
  };

  /** Saves over a version that changed something else. */
  const compare = async (before: PricedProduct, price: Price, isUndo: boolean): Promise<string> => {
    try {
      const now = await read();
      if (now.price === before.price) return write(now, price, isUndo);
      show(now);
      if (now.price !== price) setConflict({ now, mine: price });
      return '';
    } catch (refused) {
      return problemText(problemOf(refused));
    }
  };

  return (
    <>
      <EditCell
        label={`Price of ${product.name}`}
        value={product.price}
        step="any"
        save={(price) => write(product, price)}
      />
      {conflict && (
        <Confirm
          title="Another person changed this price meanwhile"
          action={`Save ${priceText(conflict.mine)}`}
          confirm={() => {
            setConflict(null);
            void write(conflict.now, conflict.mine).then(tell);
          }}
          close={() => setConflict(null)}
        >
          <p>Theirs: {priceText(conflict.now.price)}</p>
          <p>Yours: {priceText(conflict.mine)}</p>
        </Confirm>
      )}
    </>
  );
};
