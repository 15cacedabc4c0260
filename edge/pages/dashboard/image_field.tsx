// A field that holds the address of one picture: uploaded, shown, removed.
import { Button } from '#edge/pages/design/button.tsx';
import type { FieldBinding } from '#edge/pages/design/field.tsx';
import { FileDrop } from '#edge/pages/design/file_drop.tsx';
import { useWrite } from './write.ts';

export const ImageField = ({ label, value, change, problem }: FieldBinding<string> & { readonly label: string }) => {
  const write = useWrite();
  const take = async ([file]: readonly File[]): Promise<void> => {
    if (!file) return;
    const answer = await write.run((api) => api.media.upload({ file }));
    if (answer) change(answer.media.url);
  };
  const refusal = problem ?? write.problem?.message;
  return (
    <div class="field">
      <span class="label">{label}</span>
      {value === '' ? (
        <FileDrop label={label} accept="image/*" busy={write.busy} take={(files) => void take(files)} />
      ) : (
        <>
          <img class="field-picture" src={value} alt="" />
          <div class="row">
            <Button press={() => change('')}>Remove {label.toLowerCase()}</Button>
          </div>
        </>
      )}
      {refusal && (
        <span class="refusal" role="alert">
          {refusal}
        </span>
      )}
    </div>
  );
};
