// Lets a shopper mark a position on a map of the country's towns: by a tap, by the arrow keys, or by typing
// coordinates.
import { useEffect, useState } from 'preact/hooks';
import type { CheckoutIntent, PickupLocation } from '#proto/gen/client/message.ts';
import { useRequest } from './answer.ts';
import type { OpenShop } from './client.ts';
import { Field } from './component.tsx';
import { HEIGHT, MapDrawing, WIDTH } from './map_drawing.tsx';
import { distanceKm, type MapTown, nearestTown, offsetBy, type Position, positionText, townNamed } from './town.ts';
import { useWords } from './wording_context.ts';

const SPAN_KM = 40;
const SPAN_KM_MIN = 2;
const SPAN_KM_MAX = 2_500;
const STEPS_ACROSS = 24;
const DEBOUNCE_MS = 400;
const DIGITS = 5;

interface MapProps {
  readonly shop: OpenShop;
  readonly intent: CheckoutIntent;
  readonly towns: readonly MapTown[];
  readonly town: string;
  readonly position: Position | null;
  readonly pick: (position: Position | null, near: string | null) => void;
}

const rounded = ({ latitude, longitude }: Position): Position => ({
  latitude: Number(latitude.toFixed(DIGITS)),
  longitude: Number(longitude.toFixed(DIGITS)),
});

/**
 * Returns where the map opens: at the pin, else at the typed town, a pickup location, or the country's largest town.
 */
const initialCentre = ({ towns, town, position }: MapProps, pickups: readonly PickupLocation[]): Position | null => {
  const [largest] = towns;
  const near = pickups.find((each) => {
    const next = nearestTown(towns, each);
    return next !== null && distanceKm(next, each) < SPAN_KM;
  });
  return position ?? townNamed(towns, town) ?? near ?? largest ?? pickups[0] ?? null;
};

const useDeliveryCost = ({ shop, intent, position }: MapProps): string => {
  const { text, money } = useWords();
  const [message, setMessage] = useState('');
  useEffect(() => {
    setMessage('');
    if (position === null) return;
    let current = true;
    const timer = setTimeout(() => {
      shop.api.shipping
        .calculate({
          ...position,
          order_total: intent.subtotal,
          items: intent.lines.map(({ variant_id, quantity }) => ({ variant_id, quantity })),
        })
        .then(
          ({ fee, currency, zone_name: zone, is_free: free }) => {
            const cost = free ? text('free') : money(fee, currency);
            if (current && fee !== null)
              setMessage(zone ? text('delivery_cost_zone', { zone, cost }) : text('delivery_cost', { cost }));
          },
          () => current && setMessage(text('no_delivery_there')),
        );
    }, DEBOUNCE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [position?.latitude, position?.longitude]);
  return message;
};

const CoordinateFields = ({
  position,
  set,
}: {
  readonly position: Position | null;
  readonly set: (next: Position) => void;
}) => {
  const { text } = useWords();
  const number = (name: keyof Position, most: number) => ({
    type: 'number' as const,
    step: 'any',
    min: -most,
    max: most,
    value: position?.[name] ?? '',
    onChange: ({ currentTarget }: preact.TargetedEvent<HTMLInputElement>) => {
      const value = currentTarget.valueAsNumber;
      if (!Number.isNaN(value) && Math.abs(value) <= most)
        set({ latitude: 0, longitude: 0, ...position, [name]: value });
    },
  });
  return (
    <div class="pair">
      <Field label={text('latitude')}>
        <input id="latitude" {...number('latitude', 85)} />
      </Field>
      <Field label={text('longitude')}>
        <input id="longitude" {...number('longitude', 180)} />
      </Field>
    </div>
  );
};

const OpenMap = (props: MapProps & { readonly pickups: readonly PickupLocation[] }) => {
  const words = useWords();
  const { text } = words;
  const { towns, town, position, pick, pickups } = props;
  const [centre, setCentre] = useState(() => initialCentre(props, pickups));
  const [span, setSpan] = useState(SPAN_KM);
  const [message, setMessage] = useState('');
  const delivery = useDeliveryCost(props);
  const typed = townNamed(towns, town);
  useEffect(() => {
    if (position === null) setCentre(initialCentre(props, pickups));
  }, [typed?.name, towns]);
  const set = (next: Position): void => {
    const at = rounded(next);
    setCentre(at);
    pick(at, nearestTown(towns, at)?.name ?? null);
    setMessage('');
  };
  const locate = (): void =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => set(coords),
      () => setMessage(text('no_position')),
    );
  const zoom = (by: number): void => setSpan(Math.min(SPAN_KM_MAX, Math.max(SPAN_KM_MIN, span * by)));
  const step = (event: KeyboardEvent): void => {
    const far = span / STEPS_ACROSS;
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [-far, 0],
      ArrowRight: [far, 0],
      ArrowUp: [0, far],
      ArrowDown: [0, -far],
    };
    const move = moves[event.key];
    if (event.key === '+') zoom(1 / 2);
    else if (event.key === '-') zoom(2);
    else if (move && centre) set(offsetBy(position ?? centre, ...move));
    else return;
    event.preventDefault();
  };
  if (centre === null) return <CoordinateFields position={position} set={set} />;
  const near = position && nearestTown(towns, position);
  return (
    <>
      <div
        class="map"
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the pin
        tabIndex={0}
        aria-label={text('map')}
        onKeyDown={step}
        onClick={({ currentTarget, clientX, clientY }) => {
          const { left, top, width, height } = currentTarget.getBoundingClientRect();
          const across = ((clientX - left) / width - 0.5) * span;
          const up = (0.5 - (clientY - top) / height) * span * (HEIGHT / WIDTH);
          set(offsetBy(centre, across, up));
        }}
      >
        <MapDrawing {...{ towns, pickups, centre, span, position }} />
      </div>
      <div class="row">
        <button type="button" aria-label={text('map_wider')} onClick={() => zoom(2)}>
          −
        </button>
        <button type="button" aria-label={text('map_closer')} onClick={() => zoom(1 / 2)}>
          +
        </button>
        <button type="button" onClick={locate}>
          {text('my_position')}
        </button>
        {position && (
          <button type="button" class="plain" onClick={() => pick(null, null)}>
            {text('remove_pin')}
          </button>
        )}
      </div>
      <p role="status">
        {position && near ? `${positionText(near, position, words)}. ` : ''}
        {message || delivery || (position ? '' : text('tap_map'))}
      </p>
      <CoordinateFields position={position} set={set} />
    </>
  );
};

export const PinMap = (props: MapProps) => {
  const { text } = useWords();
  const [open, setOpen] = useState(props.position !== null);
  const { value } = useRequest(
    async () => (open ? (await props.shop.api.pickupLocations.list()).locations : []),
    [open],
    `pickups ${open}`,
  );
  return (
    <details class="mapping" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{text(props.position ? 'pin_set' : 'set_pin')}</summary>
      {open && value && <OpenMap {...props} pickups={value} />}
    </details>
  );
};
