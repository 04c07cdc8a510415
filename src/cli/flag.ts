import { InvalidArgumentError, Option, type Command } from 'commander'

/** Adds a boolean option, and `--no-x`, which is the default. */
export function flag(command: Command, name: string, description: string): Command {
  return command.option(name, description).addOption(new Option(name.replace(/^.*--/, '--no-')).hideHelp())
}

/** Parses an option's whole number; for `option(…, wholeNumber(1), default)`. */
export const wholeNumber =
  (least: number, most: number = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (number >= least && number <= most) return number
    throw new InvalidArgumentError(
      most === Number.MAX_SAFE_INTEGER
        ? `It must be a whole number of at least ${least}.`
        : `It must be a whole number from ${least} to ${most}.`,
    )
  }

/** Like `wholeNumber`, for several numbers separated by commas. */
export const wholeNumbers = (least: number, most?: number) => {
  const parse = wholeNumber(least, most)
  return (text: string): number[] => text.split(',').map(parse)
}
