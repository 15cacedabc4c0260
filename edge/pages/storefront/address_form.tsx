// The form of the delivery and billing address, with a map for places that have no address.
import { useState } from 'preact/hooks';
import type { AddressInput, CheckoutIntent } from '#proto/gen/client/message.ts';
import { AddressFields } from './address_fields.tsx';
import { useRequest } from './answer.ts';
import { apiUrl, type OpenShop } from './client.ts';
import { Field, useAction } from './component.tsx';
import { PinMap } from './pin_map.tsx';
import { type AddressTexts, addressOf, textsOf } from './postal_address.ts';
import { storedSession } from './server.ts';
import type { ShopSetting } from './setting.ts';
import { type MapTown, namesNear, type Position } from './town.ts';
import { townsOf } from './town_file.ts';
import { useWords } from './wording_context.ts';

export const readTowns = (setting: ShopSetting, country: string): Promise<readonly MapTown[]> =>
  townsOf(apiUrl(setting), country);

const SUGGESTIONS_MAX = 6;

export interface DeliveryInput {
  readonly email: string;
  readonly shipping_address?: AddressInput;
  readonly billing_address: AddressInput | null;
}

interface AddressFormProps {
  readonly shop: OpenShop;
  readonly intent: CheckoutIntent;
  readonly save: (said: DeliveryInput) => Promise<void>;
}

const positionOf = ({ shipping_address: known }: CheckoutIntent): Position | null =>
  known?.latitude != null && known.longitude != null ? { latitude: known.latitude, longitude: known.longitude } : null;

interface BillingProps {
  readonly label: string;
  readonly differs: boolean;
  readonly setDiffers: (differs: boolean) => void;
  readonly texts: AddressTexts;
  readonly set: (name: keyof AddressTexts, text: string) => void;
}

const BillingAddress = ({ label, differs, setDiffers, texts, set }: BillingProps) => {
  const { text: say } = useWords();
  return (
    <>
      <label class="choice">
        <input
          id="billing-differs"
          type="checkbox"
          checked={differs}
          onChange={({ currentTarget }) => setDiffers(currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      {differs && (
        <fieldset class="form">
          <legend>{say('billing_address')}</legend>
          <AddressFields kind="billing" texts={texts} set={set} />
        </fieldset>
      )}
    </>
  );
};

export const AddressForm = ({ shop, intent, save }: AddressFormProps) => {
  const { text: say } = useWords();
  const [email, setEmail] = useState(intent.email ?? storedSession()?.email ?? '');
  const [texts, setTexts] = useState(() => textsOf(intent.shipping_address, shop.store.country));
  const [billing, setBilling] = useState(() => textsOf(intent.billing_address, shop.store.country));
  const [differs, setDiffers] = useState(intent.billing_address !== null);
  const [position, setPosition] = useState(() => positionOf(intent));
  const [unknownTown, setUnknownTown] = useState('');
  const { busy, run } = useAction();
  const towns = useRequest(() => readTowns(shop.setting, texts.country), [texts.country], `towns/${texts.country}`);
  const near = unknownTown !== '' && unknownTown === texts.city ? namesNear(towns.value ?? [], unknownTown) : [];
  const send = (): Promise<void> =>
    run(async () => {
      const { city } = texts;
      const isUnknown = intent.requires_shipping && position === null && unknownTown !== city;
      if (isUnknown && namesNear(towns.value ?? [], city).length > 0) {
        setUnknownTown(city);
        return '';
      }
      const billing_address = differs ? addressOf(billing) : null;
      const shipping_address = { ...addressOf(texts), ...position };
      await save({ email, billing_address, ...(intent.requires_shipping && { shipping_address }) });
      return '';
    });
  const set = (name: keyof AddressTexts, text: string): void => {
    // Reads the current state, because autofill changes several fields before the next render.
    setTexts((now) => ({ ...now, [name]: text }));
    // A pin belongs to one town, so another town removes it.
    if (name === 'city' || name === 'country') setPosition(null);
  };
  const searchPlaces = async (text: string) =>
    (await shop.api.geo.places.list({ country: texts.country, text, limit: SUGGESTIONS_MAX })).places;
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Field label={say('email')}>
        <input
          id="email"
          type="email"
          autocomplete="email"
          required
          value={email}
          onInput={({ currentTarget }) => setEmail(currentTarget.value)}
        />
      </Field>
      {intent.requires_shipping && (
        <>
          <AddressFields kind="shipping" texts={texts} set={set} searchPlaces={searchPlaces} />
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
      <BillingAddress
        label={say(intent.requires_shipping ? 'billing_differs' : 'add_billing')}
        differs={differs}
        setDiffers={setDiffers}
        texts={billing}
        set={(name, text) => setBilling((now) => ({ ...now, [name]: text }))}
      />
      <button type="submit" class="go" aria-disabled={busy}>
        {say('continue')}
      </button>
    </form>
  );
};
