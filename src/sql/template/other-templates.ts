/**
 * Templates of other tools in jinja's marks, every character at its place: Go (`{{ .Table }}`, `{{ if … }}`), mustache
 * (`{{#x}} … {{/x}}`), ERB (`<%= x %>`), Snowflake CLI (`<% x %>`) and Metabase's optional clauses (`[[ AND a = {{ x }} ]]`).
 * What their conditions and loops hold is read, and the conditions themselves are comments.
 */

const GO = /\{\{-?\s*(?:\.\w|if\s|range\s+[.$]|with\s+[.$])/
const GO_CONTROL = /\{\{(-?\s*(?:if|else|end|range|with|define|template|block)\b[^{}]*)\}\}/g
const GO_NAME = /(\{\{-?\s*)[.$](?=\w)/g
const MUSTACHE = /\{\{[#^/]\s*\w/
const MUSTACHE_CONTROL = /\{\{([#^/!][^{}]*)\}\}/g
const MUSTACHE_RAW = /\{\{\{([^{}]*)\}\}\}/g
const OPTIONAL =
  /\[\[(\s*(?:and|or|where|having|join|left|inner|order|group|limit|union|,)(?![\w$])[^[\]]{0,300}\{\{[^[\]]{0,300})\]\]/gi
const ERB_VALUE = /<%=([^%<>]*)%>/g
const ERB_CONTROL = /<%(-?\s*(?:if|unless|elsif|else|end|for|while|\w+(?:\.\w+)*\.each\w*)\b[^%<>]*)%>/g
const SNOWFLAKE_VALUE = /<%(\s[^%<>]*\s)%>/g

/** The text with the marks that the template reader knows; the same text where there is nothing to change. */
export function inJinjaMarks(text: string, isSnowflake: boolean): string {
  let result = text
  if (text.includes('<%')) {
    result = result.replaceAll(ERB_VALUE, '{{ $1}}').replaceAll(ERB_CONTROL, '{#$1#}')
    if (isSnowflake) result = result.replaceAll(SNOWFLAKE_VALUE, '{{$1}}')
  }
  if (!text.includes('{{')) return result
  if (GO.test(result)) result = result.replaceAll(GO_CONTROL, '{#$1#}').replaceAll(GO_NAME, '$1 ')
  if (MUSTACHE.test(result)) result = result.replaceAll(MUSTACHE_CONTROL, '{#$1#}').replaceAll(MUSTACHE_RAW, '{{ $1 }}')
  return text.includes('[[') ? result.replaceAll(OPTIONAL, '  $1  ') : result
}
