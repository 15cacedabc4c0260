// Places hotspots on a picture: by clicking on it, by arrow keys, or by their coordinates in fields.
import { useState } from 'preact/hooks';
import { ProblemNote, textBinding, useRecord } from '#edge/pages/dashboard/page.ts';
import { Button, IconButton } from '#edge/pages/design/button.tsx';
import { NumberField, TextField } from '#edge/pages/design/field.tsx';
import { type DraftHotspot, type DraftImage, movedBy, shareOf } from './lookbook_draft.ts';

const FOUND_MAX = 6;
const PERCENT = 100;

export interface ProductNames {
  readonly nameOf: (id: string) => string;
  readonly learn: (id: string, name: string) => void;
}

/** The API's refusal of a field by its path below the picture: `hotspots[0].product_id`. */
export type RefusalAt = (path: string) => string | undefined;

interface ChoiceProps {
  readonly products: ProductNames;
  readonly chosen: string;
  readonly choose: (id: string) => void;
  readonly problem: string | undefined;
}

const ProductChoice = ({ products, chosen, choose, problem }: ChoiceProps) => {
  const [text, setText] = useState('');
  const search = text.trim();
  const found = useRecord(
    async (api) =>
      search === '' ? [] : (await api.products.list({ search, sort: 'name', limit: FOUND_MAX })).products,
    [search],
  );
  return (
    <>
      <TextField
        label={chosen === '' ? 'Find its product' : 'Find another product'}
        placeholder="Name or SKU"
        value={text}
        change={setText}
        problem={problem}
      />
      <ProblemNote problem={found.problem} />
      {found.value?.map(({ id, name }) => (
        <div key={id} class="row between">
          <span>{name}</span>
          <Button
            press={() => {
              products.learn(id, name);
              choose(id);
              setText('');
            }}
          >
            Choose<span class="unseen"> {name}</span>
          </Button>
        </div>
      ))}
      {found.value?.length === 0 && search !== '' && !found.loading && (
        <p class="soft">No product matches “{search}”.</p>
      )}
    </>
  );
};

interface FieldsProps {
  readonly number: number;
  readonly hotspot: DraftHotspot;
  readonly change: (changed: Partial<DraftHotspot>) => void;
  readonly remove: () => void;
  readonly products: ProductNames;
  readonly language: string;
  readonly refusalAt: RefusalAt;
}

const HotspotFields = ({ number, hotspot, change, remove, products, language, refusalAt }: FieldsProps) => {
  const { x, y, product_id } = hotspot;
  const path = `hotspots[${number - 1}]`;
  const place = (axis: 'x' | 'y') => (percent: number | null) => change({ [axis]: shareOf((percent ?? 0) / PERCENT) });
  return (
    <fieldset class="stack hotspot">
      <legend>
        Hotspot {number}: {product_id === '' ? 'no product yet' : products.nameOf(product_id)}
      </legend>
      <div class="columns">
        <NumberField
          label="From the left"
          unit="%"
          min={0}
          max={PERCENT}
          step={0.1}
          value={Math.round(x * PERCENT * 10) / 10}
          change={place('x')}
          problem={refusalAt(`${path}.x`)}
        />
        <NumberField
          label="From above"
          unit="%"
          min={0}
          max={PERCENT}
          step={0.1}
          value={Math.round(y * PERCENT * 10) / 10}
          change={place('y')}
          problem={refusalAt(`${path}.y`)}
        />
        <TextField
          label="Label"
          {...textBinding({
            record: hotspot,
            language,
            name: 'label',
            change,
            problemAt: (name) => refusalAt(`${path}.${name}`),
          })}
        />
      </div>
      <ProductChoice
        products={products}
        chosen={product_id}
        // A variant belongs to its product.
        choose={(id) => change({ product_id: id, variant_id: null })}
        problem={refusalAt(`${path}.product_id`)}
      />
      <div class="row">
        <Button tone="danger" press={remove}>
          Remove hotspot {number}
        </Button>
      </div>
    </fieldset>
  );
};

interface EditorProps {
  readonly number: number;
  readonly image: DraftImage;
  readonly change: (image: DraftImage) => void;
  readonly remove: () => void;
  readonly products: ProductNames;
  /** Language of the labels; empty for the default one. */
  readonly language: string;
  readonly refusalAt: RefusalAt;
  readonly isEditable: boolean;
}

/** A press by the keyboard has no place: it puts the hotspot into the middle. */
const placeOf = (event: MouseEvent & { readonly currentTarget: HTMLElement }): Pick<DraftHotspot, 'x' | 'y'> => {
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
  if (event.detail === 0) return { x: 0.5, y: 0.5 };
  return { x: shareOf((event.clientX - left) / width), y: shareOf((event.clientY - top) / height) };
};

export const PictureEditor = (props: EditorProps) => {
  const { number, image, change, remove, products, language, refusalAt, isEditable } = props;
  const { url, hotspots } = image;
  const [shown, show] = useState<string | null>(null);
  const set = (next: readonly DraftHotspot[]): void => change({ url, hotspots: next });
  const edit = (key: string, changed: Partial<DraftHotspot>): void =>
    set(hotspots.map((each) => (each.key === key ? { ...each, ...changed } : each)));
  const add = (place: Pick<DraftHotspot, 'x' | 'y'>): void => {
    const key = crypto.randomUUID();
    set([...hotspots, { key, id: null, ...place, product_id: '', variant_id: null, label: '', translations: {} }]);
    show(key);
  };
  const at = hotspots.findIndex(({ key }) => key === shown);
  const current = hotspots[at];
  return (
    <div class="stack">
      <div class="row between">
        <b>Picture {number}</b>
        {isEditable && <IconButton icon="remove" label={`Remove picture ${number}`} press={remove} />}
      </div>
      <div class="hotspot-picture">
        <button
          type="button"
          class="hotspot-room"
          aria-label={`Place a hotspot on picture ${number}`}
          disabled={!isEditable}
          onClick={(event) => add(placeOf(event))}
        >
          <img src={url} alt="" />
        </button>
        {hotspots.map((hotspot, index) => (
          <button
            key={hotspot.key}
            type="button"
            class="hotspot-mark"
            style={{ left: `${hotspot.x * PERCENT}%`, top: `${hotspot.y * PERCENT}%` }}
            aria-pressed={hotspot.key === shown}
            aria-label={`Hotspot ${index + 1} of picture ${number}: ${
              hotspot.product_id === '' ? 'no product yet' : products.nameOf(hotspot.product_id)
            }`}
            onClick={() => show(hotspot.key)}
            onKeyDown={(event) => {
              const moved = isEditable ? movedBy(event.key, hotspot) : null;
              if (!moved) return;
              event.preventDefault();
              edit(hotspot.key, moved);
            }}
          >
            {index + 1}
          </button>
        ))}
      </div>
      {hotspots.map(
        ({ key, product_id }, index) =>
          key !== shown &&
          refusalAt(`hotspots[${index}].product_id`) && (
            <span key={key} class="refusal" role="alert">
              Hotspot {index + 1}
              {product_id === '' ? '' : ` (${products.nameOf(product_id)})`}:{' '}
              {refusalAt(`hotspots[${index}].product_id`)}
            </span>
          ),
      )}
      {current && isEditable && (
        <HotspotFields
          key={current.key}
          number={at + 1}
          hotspot={current}
          change={(changed) => edit(current.key, changed)}
          remove={() => set(hotspots.filter((each) => each !== current))}
          products={products}
          language={language}
          refusalAt={refusalAt}
        />
      )}
      {isEditable && (
        <p class="soft">Click on the picture to place a hotspot. Arrow keys move the hotspot that has the focus.</p>
      )}
    </div>
  );
};
