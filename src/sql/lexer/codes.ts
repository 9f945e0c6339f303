/** Char codes of the signs that tokens begin or end with. */

export const NEWLINE = 10
export const DOUBLE_QUOTE = 34
export const HASH = 35
export const DOLLAR = 36
export const PERCENT = 37
export const AMPERSAND = 38
export const QUOTE = 39
export const LPAREN = 40
export const RPAREN = 41
export const STAR = 42
export const PLUS = 43
export const COMMA = 44
export const MINUS = 45
export const DOT = 46
export const SLASH = 47
export const COLON = 58
export const SEMICOLON = 59
export const LESS = 60
export const EQUALS = 61
export const GREATER = 62
export const QUESTION = 63
export const AT = 64
export const LBRACKET = 91
export const BACKSLASH = 92
export const RBRACKET = 93
export const UNDERSCORE = 95
export const BACKTICK = 96
export const LBRACE = 123
export const PIPE = 124
export const RBRACE = 125
export const TILDE = 126

/** The character that the template reader leaves where an expression has no known value. */
export const HOLE = 0xe000
