// The map on which a zone is drawn: a click adds a corner, corners are dragged; the keyboard does the same.
import { useRef, useState } from 'preact/hooks';
import { useRecord, useStore } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Note } from '#edge/pages/design/display.tsx';
import { HEIGHT, MapDrawing, type Spot, WIDTH } from '#edge/pages/storefront/map_drawing.tsx';
import { type MapTown, offsetBy, type Position } from '#edge/pages/storefront/town.ts';
import { townsOf } from '#edge/pages/storefront/town_file.ts';
import type { ShippingLocation, ShippingZone } from '#proto/client/dashboard.ts';
import { boundsOf, geometryText, ringsOf, textOfRing } from './area_shape.ts';

const SPAN_KM = 40;
const SPAN_KM_MIN = 1;
const SPAN_KM_MAX = 2_500;
const KM_IN_DEGREE = 111;
const STEPS_ACROSS = 24;
/** Space around a zone that is shown whole. */
const ROOM = 1.6;
const CORNER_RADIUS = 6;
/** A pointer that moved less clicks. */
const MOVED_PX = 4;

type Ring = readonly Position[];

interface ZoneMapProps {
  /** GeoJSON. */
  readonly text: string;
  readonly change: (text: string) => void;
  readonly others: readonly ShippingZone[];
  readonly places: readonly ShippingLocation[];
}

interface View {
  readonly centre: Position;
  readonly span: number;
}

const firstView = (rings: readonly Ring[], places: readonly Position[], towns: readonly MapTown[]): View => {
  const bounds = boundsOf(rings.flat());
  const [town = { latitude: 0, longitude: 0 }] = towns;
  if (bounds === null) return { centre: places[0] ?? town, span: SPAN_KM };
  const across = bounds.wide * Math.cos((bounds.centre.latitude * Math.PI) / 180);
  const span = Math.max(across, (bounds.high * WIDTH) / HEIGHT) * KM_IN_DEGREE * ROOM;
  return { centre: bounds.centre, span: Math.min(SPAN_KM_MAX, Math.max(SPAN_KM_MIN, span)) };
};

const pathOf = (ring: Ring, spotOf: (place: Position) => Spot): string =>
  ring.length === 0
    ? ''
    : `M${ring
        .map(spotOf)
        .map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`)
        .join('L')}Z`;

interface SketchProps {
  readonly spotOf: (place: Position) => Spot;
  readonly rings: readonly Ring[];
  readonly others: readonly Ring[];
  /** Corners to drag; empty for an area of several parts. */
  readonly corners: Ring;
  readonly cursor: Position | null;
}

const Sketch = ({ spotOf, rings, others, corners, cursor }: SketchProps) => {
  const at = cursor && spotOf(cursor);
  return (
    <>
      <path class="other-zone" d={others.map((ring) => pathOf(ring, spotOf)).join('')} />
      <path class="zone" fill-rule="evenodd" d={rings.map((ring) => pathOf(ring, spotOf)).join('')} />
      {corners.map(spotOf).map(({ x, y }, index) => (
        <circle key={index} class="corner" data-corner={index} cx={x} cy={y} r={CORNER_RADIUS} />
      ))}
      {at && <path class="cursor" d={`M${at.x - 9} ${at.y}h18M${at.x} ${at.y - 9}v18`} />}
    </>
  );
};

interface PointerWork {
  readonly view: View;
  readonly pan: (centre: Position) => void;
  readonly drag: (corner: number, place: Position) => void;
  readonly add: (place: Position) => void;
}

/** Km of a pointer from the middle of the map. */
const offsetAt = (element: Element, x: number, y: number, span: number): readonly [east: number, north: number] => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [((x - left) / width - 0.5) * span, (0.5 - (y - top) / height) * span * (HEIGHT / WIDTH)];
};

/** Drags a corner or the map; a pointer that did not move adds a corner. */
const usePointer = ({ view, pan, drag, add }: PointerWork) => {
  const held = useRef<{ x: number; y: number; corner: number | null; from: View } | null>(null);
  const moved = useRef(false);
  const placeAt = (element: Element, x: number, y: number): Position =>
    offsetBy(view.centre, ...offsetAt(element, x, y, view.span));
  return {
    onPointerDown: (event: PointerEvent) => {
      const corner = event.target instanceof SVGElement ? event.target.dataset.corner : undefined;
      held.current = {
        x: event.clientX,
        y: event.clientY,
        corner: corner === undefined ? null : Number(corner),
        from: view,
      };
      moved.current = false;
    },
    onPointerMove: ({ currentTarget, clientX, clientY }: preact.TargetedPointerEvent<HTMLDivElement>) => {
      const start = held.current;
      if (start === null) return;
      if (Math.hypot(clientX - start.x, clientY - start.y) < MOVED_PX && !moved.current) return;
      moved.current = true;
      if (start.corner !== null) return drag(start.corner, placeAt(currentTarget, clientX, clientY));
      const [east, north] = offsetAt(currentTarget, clientX, clientY, start.from.span);
      const [eastBefore, northBefore] = offsetAt(currentTarget, start.x, start.y, start.from.span);
      pan(offsetBy(start.from.centre, eastBefore - east, northBefore - north));
    },
    onPointerUp: () => {
      held.current = null;
    },
    onPointerLeave: () => {
      held.current = null;
    },
    onClick: ({ currentTarget, target, clientX, clientY }: preact.TargetedMouseEvent<HTMLDivElement>) => {
      const isCorner = target instanceof SVGElement && target.dataset.corner !== undefined;
      if (!moved.current && !isCorner) add(placeAt(currentTarget, clientX, clientY));
      moved.current = false;
    },
  };
};

interface KeyWork {
  readonly view: View;
  readonly cursor: Position | null;
  readonly point: (place: Position) => void;
  readonly add: (place: Position) => void;
  readonly removeLast: () => void;
  readonly zoom: (by: number) => void;
}

/** Arrow keys move a cross, Enter sets a corner at it, Backspace takes the last corner away. */
const keysOf =
  ({ view, cursor, point, add, removeLast, zoom }: KeyWork) =>
  (event: KeyboardEvent): void => {
    const far = view.span / STEPS_ACROSS;
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [-far, 0],
      ArrowRight: [far, 0],
      ArrowUp: [0, far],
      ArrowDown: [0, -far],
    };
    const move = moves[event.key];
    if (move) point(offsetBy(cursor ?? view.centre, ...move));
    else if (event.key === 'Enter') add(cursor ?? view.centre);
    else if (event.key === 'Backspace') removeLast();
    else if (event.key === '+') zoom(1 / 2);
    else if (event.key === '-') zoom(2);
    else return;
    event.preventDefault();
  };

const OpenMap = ({ text, change, others, places, towns }: ZoneMapProps & { readonly towns: readonly MapTown[] }) => {
  const rings = ringsOf(text);
  const otherRings = others.flatMap(({ geometry }) => (geometry === undefined ? [] : ringsOf(geometryText(geometry))));
  const [view, setView] = useState(() => firstView(rings, places, towns));
  const [cursor, setCursor] = useState<Position | null>(null);
  const isSimple = rings.length <= 1;
  const ring = isSimple ? (rings[0] ?? []) : [];
  const draw = (corners: Ring): void => {
    if (isSimple) change(textOfRing(corners));
  };
  const add = (place: Position): void => draw([...ring, place]);
  const zoom = (by: number): void =>
    setView({ ...view, span: Math.min(SPAN_KM_MAX, Math.max(SPAN_KM_MIN, view.span * by)) });
  const pointer = usePointer({
    view,
    add,
    pan: (centre) => setView({ ...view, centre }),
    drag: (corner, place) => draw(ring.map((each, index) => (index === corner ? place : each))),
  });
  const removeLast = (): void => draw(ring.slice(0, -1));
  return (
    <div class="stack">
      <div
        class="map"
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the cross
        tabIndex={0}
        aria-label="Map of the zone. Arrow keys move a cross, Enter sets a corner, Backspace removes the last one, plus and minus change the scale."
        onKeyDown={keysOf({
          view,
          cursor,
          add,
          removeLast,
          zoom,
          point: (place) => {
            setCursor(place);
            setView({ ...view, centre: place });
          },
        })}
        {...pointer}
      >
        <MapDrawing
          towns={towns}
          pickups={places}
          centre={view.centre}
          span={view.span}
          position={null}
          overlay={(spotOf) => (
            <Sketch spotOf={spotOf} rings={rings} others={otherRings} corners={ring} cursor={cursor} />
          )}
        />
      </div>
      <div class="row">
        <Button press={() => zoom(1 / 2)}>Zoom in</Button>
        <Button press={() => zoom(2)}>Zoom out</Button>
        <Button disabled={ring.length === 0} press={removeLast}>
          Remove the last corner
        </Button>
        <Button disabled={ring.length === 0} press={() => draw([])}>
          Begin again
        </Button>
      </div>
      <p class="soft" role="status">
        {ring.length < 3
          ? 'Click the corners of the zone, one after the other: at least three.'
          : `${ring.length} corners. Drag a corner to move it; drag the map to see more.`}
      </p>
      {!isSimple && <Note>This zone has several parts or holes: change its GeoJSON below.</Note>}
    </div>
  );
};

/** Towns are read before the map opens, since it may open at the largest. A zone can be drawn without them. */
export const ZoneMap = (props: ZoneMapProps) => {
  const store = useStore();
  const country = store.country ?? props.places[0]?.address.country ?? null;
  const { value } = useRecord(async () => (country === null ? [] : townsOf('', country).catch(() => [])), [country]);
  return value && <OpenMap {...props} towns={value} />;
};
