const COMMENT = /'(?:[^'\\]|\\[^]|'')*'|"(?:[^"\\]|\\[^])*"|`[^`]*`|\/\*[^]*?\*\/|--[^\n]*/g

/** The text with spaces in the place of comments, so that offsets hold. */
export function withoutComments(text: string): string {
  if (!text.includes('/*') && !text.includes('--')) return text
  return text.replaceAll(COMMENT, (part) => (/^(?:\/\*|--)/.test(part) ? ' '.repeat(part.length) : part))
}
