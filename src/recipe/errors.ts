import { HeadwaterError } from '../model/errors.ts'

/** A recipe asks for something that Headwater does not have. */
export class RecipeUnsupportedError extends HeadwaterError {
  readonly code = 'RECIPE_UNSUPPORTED'
  override readonly badInput = true

  constructor(file: string, what: string, remedy: string) {
    super(`${file}: ${what}`, { remedy })
  }
}
