// The town of an address, with suggestions while its name is typed: a combobox for keyboards and screen readers.
import { useEffect, useId, useState } from 'preact/hooks';
import type { Place } from '#proto/gen/client/message.ts';
import { useWords } from './wording_context.ts';

/** Suggests places for a typed text. */
export type PlaceSearch = (text: string) => Promise<readonly Place[]>;

interface TownFieldProps {
  readonly id: string;
  readonly autocomplete: string;
  readonly town: string;
  readonly postcode: string;
  readonly search: PlaceSearch;
  readonly set: (town: string) => void;
  readonly pick: (place: Place) => void;
}

const DEBOUNCE_MS = 200;
const TEXT_MAX = 100;

/** Returns suggestions for a text once typing pauses; none for an empty one, or if they cannot be read. */
const usePlaces = (text: string, search: PlaceSearch): readonly Place[] => {
  const [places, setPlaces] = useState<readonly Place[]>([]);
  useEffect(() => {
    let current = true;
    const show = (found: readonly Place[]): void => {
      if (current) setPlaces(found);
    };
    if (text === '') return show([]);
    const timer = setTimeout(() => search(text).then(show, () => show([])), DEBOUNCE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [text]);
  return places;
};

export const TownField = ({ id, autocomplete, town, postcode, search, set, pick }: TownFieldProps) => {
  const { text: say } = useWords();
  const list = useId();
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const typed = town.trim();
  // A postcode without blanks is one word of the text, which also decides about delivery.
  const text = `${postcode.replace(/\s/g, '')} ${typed}`.trim().slice(0, TEXT_MAX);
  const places = usePlaces(open && typed !== '' ? text : '', search);
  const shown = open ? places : [];
  const expanded = shown.length > 0;
  const close = (): void => {
    setOpen(false);
    setChosen(-1);
  };
  const choose = (place: Place): void => {
    pick(place);
    close();
  };
  const keys = (event: KeyboardEvent): void => {
    const place = shown[chosen];
    if (event.key === 'ArrowDown' && !open) setOpen(true);
    else if (event.key === 'ArrowDown' && expanded) setChosen((chosen + 1) % shown.length);
    else if (event.key === 'ArrowUp' && expanded) setChosen(chosen > 0 ? chosen - 1 : shown.length - 1);
    else if (event.key === 'Escape' && expanded) close();
    else if (event.key === 'Enter' && place) choose(place);
    else return;
    event.preventDefault();
  };
  return (
    <div class="field suggests">
      <label for={id}>{say('town')}</label>
      <input
        id={id}
        autocomplete={autocomplete}
        required
        maxLength={100}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={expanded}
        aria-controls={expanded ? list : undefined}
        aria-activedescendant={expanded && chosen >= 0 ? `${list}-${chosen}` : undefined}
        value={town}
        onInput={({ currentTarget }) => {
          set(currentTarget.value);
          setChosen(-1);
          // Autofill changes fields without focus, which must not open over the form.
          setOpen(currentTarget === document.activeElement);
        }}
        onKeyDown={keys}
        onBlur={close}
      />
      {expanded && (
        <div class="suggestions" id={list} role="listbox" aria-label={say('town')}>
          {shown.map((place, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keys
            <div
              key={`${place.city} ${place.state}`}
              id={`${list}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              // Keeps the focus in the field, whose loss would close the list before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(place)}
            >
              <span>{[place.city, place.state].filter(Boolean).join(', ')}</span>
              {!place.deliverable && <small>{say('no_delivery_there')}</small>}
            </div>
          ))}
        </div>
      )}
    </div>
  );
};
