// Fields that several rooms of the console have: an amount, and who carries a parcel.

interface FieldProps {
  readonly value: string;
  readonly set: (value: string) => void;
}

/** An amount in major units. */
export const AmountField = ({
  name,
  label,
  value,
  set,
}: FieldProps & { readonly name: string; readonly label: string }) => (
  <label>
    {label}
    <input
      name={name}
      inputMode="decimal"
      value={value}
      onInput={({ currentTarget }) => set(currentTarget.value.trim())}
    />
  </label>
);

export interface ParcelSaid {
  readonly carrier: string;
  readonly tracking: string;
}

export const ParcelFields = ({
  said,
  set,
}: {
  readonly said: ParcelSaid;
  readonly set: (said: ParcelSaid) => void;
}) => (
  <>
    <label>
      Carrier
      <input
        name="carrier"
        value={said.carrier}
        onInput={({ currentTarget }) => set({ ...said, carrier: currentTarget.value })}
      />
    </label>
    <label>
      Tracking number
      <input
        name="tracking"
        value={said.tracking}
        onInput={({ currentTarget }) => set({ ...said, tracking: currentTarget.value })}
      />
    </label>
  </>
);
