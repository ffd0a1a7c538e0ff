// Numbers of JSON become doubles in JavaScript, which hold about 15 digits; amounts of points may have 19. So decimals are
// read as texts: JSON is parsed with the digits of long numbers kept, and the table of shapes says which are decimals.

/** Which properties of an object are decimals ("#"), and which hold an object of another name. */
export type Shapes = Readonly<Record<string, Readonly<Record<string, string>>>>;

// No text of the API holds a NUL, so it marks the digits of a number.
const mark = "\u0000";

/** Parses JSON. Decimals of the named shape become texts with all their digits; other numbers are numbers. */
export function parse(text: string, shapes: Shapes, shape: string | undefined): unknown {
  let isMarked = false;
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => {
    if (token[0] === '"' || String(Number(token)) === token) return token;
    isMarked = true;
    return `"\\u0000${token}"`;
  });
  const value: unknown = JSON.parse(isMarked ? marked : text);
  return isMarked || (shape !== undefined && shape in shapes) ? convert(value, shapes, shape) : value;
}

function convert(value: unknown, shapes: Shapes, shape: string | undefined): unknown {
  if (typeof value === "number") return shape === "#" ? String(value) : value;
  if (typeof value === "string" && value.startsWith(mark)) return shape === "#" ? value.slice(1) : Number(value.slice(1));
  if (Array.isArray(value)) return value.map((item) => convert(item, shapes, shape));
  if (typeof value !== "object" || value === null) return value;
  const fields = shape === undefined ? undefined : shapes[shape];
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, convert(item, shapes, fields?.[name])]));
}
