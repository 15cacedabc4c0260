// Letters that a typo may insert into a word.

export const lettersNear = (text: string): readonly string[] => {
  const blocks = new Set([...text].map((letter) => letter.codePointAt(0)! >> 6));
  return [...blocks]
    .slice(0, 3)
    .flatMap((block) =>
      Array.from({ length: 64 }, (_, at) => String.fromCodePoint((block << 6) + at)).filter((each) =>
        /\p{L}|\p{N}/u.test(each),
      ),
    );
};
