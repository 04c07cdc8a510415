import type { Context } from '../../platform/http/index.ts'
import { findLanguage, preferredLanguage } from '../../core/languages/index.ts'

/**
 * The languages whose trends come first: those that the caller has chosen to read, else that of the
 * request (parameter, the caller's own, header).
 */
export function preferredLanguages({ viewer, request }: Context<'optional'>, lang: string | undefined): string[] {
  if (viewer?.chosenLanguages) return [...viewer.chosenLanguages]
  const language =
    findLanguage(lang ?? '') ??
    findLanguage(viewer?.locale ?? '') ??
    preferredLanguage(request.header('accept-language'))
  return language === undefined ? [] : [language]
}
