import { InvalidArgumentError, Option, type Command } from 'commander'
import { CliError } from './cli_error.ts'

/** Adds a boolean option, and `--no-x`, which is the default. */
export function flag(command: Command, name: string, description: string): Command {
  return command.option(name, description).addOption(new Option(name.replace(/^.*--/, '--no-')).hideHelp())
}

/** Parses an option's whole number; for `option(…, wholeNumber(1), default)`. */
export const wholeNumber =
  (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (number >= min && number <= max) return number
    throw new InvalidArgumentError(
      max === Number.MAX_SAFE_INTEGER
        ? `It must be a whole number of at least ${min}.`
        : `It must be a whole number from ${min} to ${max}.`,
    )
  }

/** Parses several whole numbers separated by commas. */
export const wholeNumbers = (min: number, max?: number) => {
  const parse = wholeNumber(min, max)
  return (text: string): number[] => text.split(',').map(parse)
}

/** Parses the option `--concurrency`. */
export const concurrencyUpTo =
  (max: number) =>
  (text: string): number => {
    if (/^-?\d+$/.test(text) && Number(text) < 1)
      throw new CliError('Cannot run with this concurrency setting, must be at least 1')
    return wholeNumber(1, max)(text)
  }

export const concurrency = concurrencyUpTo(Number.MAX_SAFE_INTEGER)
