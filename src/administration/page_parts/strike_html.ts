import type { Translator } from '../../platform/i18n/index.ts'

/** The translated name of a strike's action. */
export function actionLabel(translator: Translator, action: string): string {
  const key = `strike.${action}`
  return translator.has(key) ? translator.t(key) : action
}
