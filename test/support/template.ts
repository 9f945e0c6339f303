import { readTemplate, type TemplateReading } from '../../src/sql/template/read-template.ts'
import type { TemplateOptions } from '../../src/sql/template/options.ts'

/** Variants of a template with white space evened out. `⟨⟩` stands for a value, `?x` for a name that nobody knows. */
export function variantsOf(text: string, options?: TemplateOptions): readonly string[] {
  return readTemplate(text, options).variants.map(({ sql }) => evened(sql))
}

/** The only variant of a template. */
export function variantOf(text: string, options?: TemplateOptions): string {
  const variants = variantsOf(text, options)
  if (variants.length !== 1) throw new Error(`${variants.length} variants: ${variants.join(' | ')}`)
  return variants[0]!
}

/** Texts of the holes of a template. */
export function holesOf(reading: TemplateReading): readonly string[] {
  return reading.holes.map(({ text }) => text)
}

function evened(sql: string): string {
  return sql
    .replaceAll(/[\ue001-\ue003]/g, '?')
    .replaceAll('\ue000', '⟨⟩')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\( /g, '(')
    .replaceAll(/ ([,)])/g, '$1')
    .trim()
}
