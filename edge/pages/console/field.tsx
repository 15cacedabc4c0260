// Form fields that several tabs use: an amount, and a parcel's carrier and tracking number.

interface FieldProps {
  readonly value: string;
  readonly set: (value: string) => void;
}

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

export interface ParcelInput {
  readonly carrier: string;
  readonly tracking: string;
}

export const ParcelFields = ({
  parcel,
  set,
}: {
  readonly parcel: ParcelInput;
  readonly set: (parcel: ParcelInput) => void;
}) => (
  <>
    <label>
      Carrier
      <input
        name="carrier"
        value={parcel.carrier}
        onInput={({ currentTarget }) => set({ ...parcel, carrier: currentTarget.value })}
      />
    </label>
    <label>
      Tracking number
      <input
        name="tracking"
        value={parcel.tracking}
        onInput={({ currentTarget }) => set({ ...parcel, tracking: currentTarget.value })}
      />
    </label>
  </>
);
