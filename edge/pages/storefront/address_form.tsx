// The form of the delivery address, with a map for places that have no address.
import { useState } from 'preact/hooks';
import type { AddressInput, CheckoutIntent } from '#proto/gen/client/message.ts';
import { useRequest } from './answer.ts';
import { apiUrl, type OpenShop } from './client.ts';
import { Field, useAction } from './component.tsx';
import { countriesIn } from './country.ts';
import { PinMap } from './pin_map.tsx';
import { storedSession } from './server.ts';
import type { ShopSetting } from './setting.ts';
import { type MapTown, namesNear, type Position } from './town.ts';
import { townsOf } from './town_file.ts';
import { useWords } from './wording_context.ts';

export const readTowns = (setting: ShopSetting, country: string): Promise<readonly MapTown[]> =>
  townsOf(apiUrl(setting), country);

const SUGGESTIONS_MAX = 400;

export interface DeliveryInput {
  readonly email: string;
  readonly shipping_address?: AddressInput;
}

interface AddressFormProps {
  readonly shop: OpenShop;
  readonly intent: CheckoutIntent;
  readonly save: (said: DeliveryInput) => Promise<void>;
}

type Texts = Readonly<Record<'email' | 'first' | 'last' | 'line' | 'code' | 'city' | 'country', string>>;

const textsOf = ({ email, shipping_address: known }: CheckoutIntent, country: string | null): Texts => ({
  email: email ?? storedSession()?.email ?? '',
  first: known?.first_name ?? '',
  last: known?.last_name ?? '',
  line: known?.line1 ?? '',
  code: known?.postal_code ?? '',
  city: known?.city ?? '',
  country: known?.country ?? country ?? 'KE',
});

const positionOf = ({ shipping_address: known }: CheckoutIntent): Position | null =>
  known?.latitude != null && known.longitude != null ? { latitude: known.latitude, longitude: known.longitude } : null;

const addressOf = (texts: Texts, position: Position | null): AddressInput => ({
  first_name: texts.first || null,
  last_name: texts.last || null,
  line1: texts.line,
  postal_code: texts.code || null,
  city: texts.city,
  country: texts.country,
  ...position,
});

export const AddressForm = ({ shop, intent, save }: AddressFormProps) => {
  const { text: say, language } = useWords();
  const [texts, setTexts] = useState(() => textsOf(intent, shop.store.country));
  const [position, setPosition] = useState(() => positionOf(intent));
  const [unknownTown, setUnknownTown] = useState('');
  const { busy, run } = useAction();
  const towns = useRequest(() => readTowns(shop.setting, texts.country), [texts.country], `towns/${texts.country}`);
  const near = unknownTown !== '' && unknownTown === texts.city ? namesNear(towns.value ?? [], unknownTown) : [];
  const send = (): Promise<void> =>
    run(async () => {
      const { email, city } = texts;
      const isUnknown = intent.requires_shipping && position === null && unknownTown !== city;
      if (isUnknown && namesNear(towns.value ?? [], city).length > 0) {
        setUnknownTown(city);
        return '';
      }
      await save(intent.requires_shipping ? { email, shipping_address: addressOf(texts, position) } : { email });
      return '';
    });
  const set = (name: keyof Texts, text: string): void => {
    // Reads the current state, because autofill changes several fields before the next render.
    setTexts((now) => ({ ...now, [name]: text }));
    // A pin belongs to one town, so another town removes it.
    if (name === 'city' || name === 'country') setPosition(null);
  };
  const text = (name: keyof Texts, autocomplete: string, required = true) => ({
    id: name,
    autocomplete,
    required,
    value: texts[name],
    onInput: ({ currentTarget }: preact.TargetedInputEvent<HTMLInputElement>) => set(name, currentTarget.value),
  });
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Field label={say('email')}>
        <input type="email" {...text('email', 'email')} />
      </Field>
      {intent.requires_shipping && (
        <>
          <div class="pair">
            <Field label={say('first_name')} hint={say('optional')}>
              <input {...text('first', 'given-name', false)} />
            </Field>
            <Field label={say('last_name')} hint={say('optional')}>
              <input {...text('last', 'family-name', false)} />
            </Field>
          </div>
          <Field label={say('street')}>
            <input {...text('line', 'address-line1')} />
          </Field>
          <div class="pair">
            <Field label={say('town')}>
              <input list="towns" {...text('city', 'address-level2')} />
            </Field>
            <Field label={say('postal_code')} hint={say('optional')}>
              <input {...text('code', 'postal-code', false)} />
            </Field>
          </div>
          {near.length > 0 && (
            <div class="warning" role="alert">
              <p>{say('unknown_town', { town: unknownTown })}</p>
              <div class="row">
                {near.map((name) => (
                  <button key={name} type="button" onClick={() => set('city', name)}>
                    {name}
                  </button>
                ))}
              </div>
            </div>
          )}
          <datalist id="towns">
            {towns.value?.slice(0, SUGGESTIONS_MAX).map(({ name, latitude }) => (
              <option key={`${name}${latitude}`} value={name} />
            ))}
          </datalist>
          <Field label={say('country')}>
            <select
              id="country"
              autocomplete="country"
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
          <PinMap
            shop={shop}
            intent={intent}
            towns={towns.value ?? []}
            town={texts.city}
            position={position}
            pick={(next, near) => {
              setPosition(next);
              if (near !== null) setTexts((now) => (now.city.trim() === '' ? { ...now, city: near } : now));
            }}
          />
        </>
      )}
      <button type="submit" class="go" aria-disabled={busy}>
        {say('continue')}
      </button>
    </form>
  );
};
