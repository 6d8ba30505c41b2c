// Offsets of the server count characters; those of strings here count units of UTF-16.

/** A function from offsets of the server to offsets in this text. */
export function units(text) {
  if (!/[\ud800-\udbff]/.test(text)) return (offset) => offset;
  const at = [0];
  for (const character of text) at.push(at.at(-1) + character.length);
  return (offset) => at[Math.min(offset, at.length - 1)];
}
