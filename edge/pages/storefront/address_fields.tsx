// The fields of an address, for delivery and for the bill.
import { Field } from './component.tsx';
import { countriesIn } from './country.ts';
import { type AddressTexts, needsState } from './postal_address.ts';
import { type PlaceSearch, TownField } from './town_field.tsx';
import { useWords } from './wording_context.ts';

interface AddressFieldsProps {
  readonly kind: 'shipping' | 'billing';
  readonly texts: AddressTexts;
  readonly set: (name: keyof AddressTexts, text: string) => void;
  /** Suggests towns if given. */
  readonly searchPlaces?: PlaceSearch;
}

export const AddressFields = ({ kind, texts, set, searchPlaces }: AddressFieldsProps) => {
  const { text: say, language } = useWords();
  const idOf = (name: string): string => (kind === 'billing' ? `billing-${name}` : name);
  const field = (id: string, name: keyof AddressTexts, autocomplete: string, required = false) => ({
    id: idOf(id),
    autocomplete: `${kind} ${autocomplete}`,
    required,
    value: texts[name],
    onInput: ({ currentTarget }: preact.TargetedInputEvent<HTMLInputElement>) => set(name, currentTarget.value),
  });
  const wantsState = needsState(texts.country);
  return (
    <>
      <Field label={say('country')}>
        <select
          id={idOf('country')}
          autocomplete={`${kind} country`}
          value={texts.country}
          onChange={({ currentTarget }) => set('country', currentTarget.value)}
        >
          {countriesIn(language).map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <div class="pair">
        <Field label={say('first_name')} hint={say('optional')}>
          <input maxLength={100} {...field('first', 'first_name', 'given-name')} />
        </Field>
        <Field label={say('last_name')} hint={say('optional')}>
          <input maxLength={100} {...field('last', 'last_name', 'family-name')} />
        </Field>
      </div>
      <Field label={say('company')} hint={say('optional')}>
        <input maxLength={200} {...field('company', 'company', 'organization')} />
      </Field>
      <Field label={say('street')}>
        <input maxLength={200} {...field('line', 'line1', 'address-line1', true)} />
      </Field>
      <Field label={say('address_line2')} hint={say('optional')}>
        <input maxLength={200} {...field('line2', 'line2', 'address-line2')} />
      </Field>
      <div class="pair">
        {searchPlaces ? (
          <TownField
            id={idOf('city')}
            autocomplete={`${kind} address-level2`}
            town={texts.city}
            postcode={texts.postal_code}
            search={searchPlaces}
            set={(town) => set('city', town)}
            pick={({ city, state }) => {
              set('city', city);
              if (state !== null) set('state', state);
            }}
          />
        ) : (
          <Field label={say('town')}>
            <input maxLength={100} {...field('city', 'city', 'address-level2', true)} />
          </Field>
        )}
        <Field label={say('postal_code')} hint={say('optional')}>
          <input maxLength={16} {...field('code', 'postal_code', 'postal-code')} />
        </Field>
      </div>
      <div class="pair">
        <Field label={say('state')} {...(!wantsState && { hint: say('optional') })}>
          <input maxLength={100} {...field('state', 'state', 'address-level1', wantsState)} />
        </Field>
        <Field label={say('phone')} hint={say('optional')}>
          <input type="tel" maxLength={40} {...field('phone', 'phone', 'tel')} />
        </Field>
      </div>
    </>
  );
};
