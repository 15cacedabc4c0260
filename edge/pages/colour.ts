// Colours of the pages that the edge renders, in light and dark. `--strong` is for borders of fields and buttons, which
// must contrast with the background.
export const COLOURS = `
:root{color-scheme:light dark;--background:#f3f1ec;--sheet:#fffdf9;--ink:#22201c;--soft:#5f5a50;--line:#ddd6c8;--strong:#8d8474;--go:#175c43;--on-go:#fff;--no:#9a2f22;--code:#f0ece3}
@media (prefers-color-scheme:dark){:root{--background:#171613;--sheet:#22201c;--ink:#f2eee6;--soft:#b8b0a1;--line:#3c382f;--strong:#8a8272;--go:#7fd3ae;--on-go:#10241b;--no:#f0a093;--code:#171613}}
`;
