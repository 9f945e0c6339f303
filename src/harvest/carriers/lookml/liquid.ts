/**
 * Liquid in LookML, in the words of the template reader: what a filter narrows is used, a parameter is a hole, and both
 * ways of an `if` are read.
 */

const TAG = /\{%-?\s*(\w+)\s*([^%]*?)\s*-?%\}/g

/** The text with its tags in jinja's words. Lines stay. */
export function inJinja(text: string): string {
  const tests = new Map<string, string>()
  const condition = (test: string): string => {
    const name = tests.get(test) ?? `when_${tests.size + 1}`
    tests.set(test, name)
    return name
  }
  return text.replaceAll(TAG, (tag, word: string, rest: string) => {
    switch (word) {
      case 'condition':
      case 'incrementcondition':
        return '('
      case 'endcondition':
      case 'endincrementcondition':
        return ' is not null)'
      case 'parameter':
      case 'date_start':
      case 'date_end':
        return `{{ ${/(\w+)\W*$/.exec(rest)?.[1] ?? 'value'} }}`
      case 'if':
        return `{% if ${condition(rest)} %}`
      case 'elsif':
        return `{% elif ${condition(rest)} %}`
      case 'unless':
        return `{% if not ${condition(rest)} %}`
      case 'endunless':
        return '{% endif %}'
      case 'else':
      case 'endif':
        return tag
      default:
        return tag.replaceAll(/[^\n]/g, ' ')
    }
  })
}
