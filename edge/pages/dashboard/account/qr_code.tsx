// Draws a text as a QR code, which a telephone reads from the screen.
import encodeQR from 'qr';

/** Blank modules that readers need around the code, by ISO/IEC 18004. */
const BORDER = 4;

/** Path of the dark modules: a unit square for each. */
export const qrPath = (modules: readonly (readonly boolean[])[]): string =>
  modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');

interface QrCodeProps {
  readonly text: string;
  readonly label: string;
}

/** Dark on light in both themes, since not every reader takes an inverted code. */
export const QrCode = ({ text, label }: QrCodeProps) => {
  const modules = encodeQR(text, 'raw', { border: BORDER });
  const size = modules.length;
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={qrPath(modules)} fill="#000" />
    </svg>
  );
};
