"use client";
import { QueryClientContext, type QueryKey } from "@tanstack/react-query";
import { type BaseSyntheticEvent, useContext, useState } from "react";
import {
  type DefaultValues,
  type FieldError,
  type FieldValues,
  get,
  type Path,
  type Resolver,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import type { ZodType } from "zod";
import { isApiError } from "@/components/api";
import { toast } from "@/components/ui/toast";
import type { ErrorCode } from "@/lib/errors";

type Options<V extends FieldValues, B, A> = {
  /** Loads the API's own schema of the body. It is downloaded when the form is first sent, and validates it. */
  schema: () => Promise<ZodType<unknown, B>>;
  /** Every field of the form, in the order of the page. */
  defaultValues: V;
  /** The request's body, if it differs from the form's values. A field and its member of the body share their path. */
  body?: (values: V) => B;
  send: (body: B) => Promise<A>;
  /** The queries that are read again on success, and the toast of it. */
  refresh?: QueryKey;
  done?: string;
  onSuccess?: (answer: A, values: V) => unknown;
  /** Where an error without field paths is shown, by its code. */
  fieldOf?: Partial<Record<ErrorCode, Path<V>>>;
  /** Whether the page is left on success: the form then stays busy until it is gone. */
  leaves?: boolean;
};

export type ApiForm<V extends FieldValues = FieldValues, A = unknown> = UseFormReturn<V> & {
  submit: (event?: BaseSyntheticEvent) => Promise<void>;
  busy: boolean;
  /** A failure that belongs to no field. */
  failure: Error | null;
  /** The API's answer to the last success. */
  answer: A | undefined;
  /** The type of a field's fault: the API's error code, or the schema's; undefined where nothing is wrong. */
  faultOf: (name: Path<V>) => string | undefined;
  /** The sentences in which the API itself says what is wrong with a field; one that only it can know is not the first. */
  apiTextsOf: (name: Path<V>) => readonly string[];
};

/**
 * A form that is sent to our API. Faults are shown at the fields that they name, and the first of them has the focus; any
 * other failure is `failure`. What was typed stays until the form is gone.
 */
export function useApiForm<V extends FieldValues, B, A>(options: Options<V, B, A>): ApiForm<V, A> {
  const { schema, defaultValues, send, refresh, done, onSuccess, fieldOf = {}, leaves = false } = options;
  const body = options.body ?? ((values: V) => values as unknown as B);
  const client = useContext(QueryClientContext); // pages without a session have none
  const form = useForm<V>({
    defaultValues: defaultValues as DefaultValues<V>,
    resolver: resolverOf(schema, body),
    reValidateMode: "onChange",
  });
  const [failure, setFailure] = useState<Error | null>(null);
  const [answer, setAnswer] = useState<A>();

  async function write(values: V) {
    const mutationFn = () => send(body(values));
    try {
      // Failures that concern the whole page, such as a session that ended, are handled by the mutation cache.
      const answered = await (client
        ? client.getMutationCache().build<A, Error, void, unknown>(client, { mutationFn }).execute()
        : mutationFn());
      if (refresh) await client?.invalidateQueries({ queryKey: refresh });
      if (done) toast(done);
      await onSuccess?.(answered, values);
      setAnswer(answered);
    } catch (error) {
      if (!showFaults(error)) setFailure(error as Error);
    }
  }

  function showFaults(error: unknown): boolean {
    if (!isApiError(error)) return false;
    const named = fieldOf[error.code as ErrorCode];
    const faulty = named ? [named] : leavesOf(form.getValues()).filter((name) => error.errors?.[name]);
    for (const name of faulty) {
      const fault = { type: error.code ?? "server", types: { [API]: error.errors?.[name] ?? [] } };
      form.setError(name, fault, { shouldFocus: name === faulty[0] });
    }
    return faulty.length > 0;
  }

  const { errors, isSubmitting } = form.formState;
  return {
    ...form,
    submit(event) {
      setFailure(null);
      return form.handleSubmit(write)(event);
    },
    busy: isSubmitting || (leaves && answer !== undefined),
    failure,
    answer,
    faultOf: (name) => (get(errors, name) as FieldError | undefined)?.type,
    apiTextsOf: (name) => ((get(errors, name) as FieldError | undefined)?.types?.[API] ?? []) as string[],
  };
}

/** Under what the API's own sentences about a fault are kept. */
const API = "api";

/**
 * Validates a form with the API's schema of its body. If the schema cannot be loaded, or if no field can show what is
 * wrong, the form is sent and the API decides.
 */
function resolverOf<V extends FieldValues, B>(
  schema: () => Promise<ZodType<unknown, B>>,
  body: (values: V) => B,
): Resolver<V> {
  return async (values, context, options) => {
    const loaded = await Promise.all([import("@hookform/resolvers/zod"), schema()]).catch(() => undefined);
    if (!loaded) return { values, errors: {} };
    const [{ zodResolver }, rules] = loaded;
    const validate = zodResolver(rules as ZodType<FieldValues, FieldValues>, undefined, { raw: true });
    const { errors } = await validate(body(values) as FieldValues, context, options as never);
    return leavesOf(values).some((name) => get(errors, name))
      ? { values: {}, errors: errors as never }
      : { values, errors: {} };
  };
}

/** The paths of all fields: "description", "client.name", "splits.0.email". A list without members is one field. */
const leavesOf = <V extends FieldValues>(values: V) => pathsIn(values) as Path<V>[];

const pathsIn = (values: object, at = ""): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    hasMembers(value) ? pathsIn(value, `${at}${name}.`) : [`${at}${name}`],
  );

const hasMembers = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(hasMembers) : value !== null && typeof value === "object";
