// Judges openapi.json itself, and by it what the server answers and what it takes. Strict JSON Schema (draft 2020-12).
import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";

interface Media {
  schema: object;
  example?: unknown;
}

interface Answer {
  $ref?: string;
  content?: Record<string, Media>;
}

interface Operation {
  parameters?: { $ref?: string; name: string; in: string; schema: object }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Answer>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, object>;
    parameters: Record<string, { schema: object }>;
    responses: Record<string, Answer>;
  };
}

const text = readFileSync(new URL("../../../openapi.json", import.meta.url), "utf8");
const document = JSON.parse(text.replaceAll('"#/components/schemas/', '"laurel#/$defs/')) as Document;
const json = "application/json";

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true, formats: { decimal: true, identifier: true } });
formats.default(ajv);
ajv.addVocabulary(["x-extensible-enum"]);
ajv.addSchema({ $id: "laurel", $defs: document.components.schemas });

/** Answers the response itself, where the document refers to one that operations share. */
function resolved(answer: Answer | undefined): Answer | undefined {
  return answer?.$ref === undefined ? answer : document.components.responses[answer.$ref.split("/").pop() ?? ""];
}

const compiled = new Map<object, ValidateFunction>();

function judgeOf(schema: object): ValidateFunction {
  const judge = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, judge);
  return judge;
}

/** Answers what is wrong with a value, "" when nothing is. */
function wrong(schema: object, value: unknown): string {
  const judge = judgeOf(schema);
  return judge(value) ? "" : ajv.errorsText(judge.errors);
}

/** Compiles every schema and tries every example; answers what is wrong. */
export async function faultsOfDocument(): Promise<string[]> {
  const faults: string[] = [];
  const result = await new Validator().validate(text);
  if (!result.valid) faults.push(`not OpenAPI 3.1: ${JSON.stringify(result.errors)}`);
  for (const name of Object.keys(document.components.schemas)) judgeOf({ $ref: `laurel#/$defs/${name}` });
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const at = `${method} ${path}`;
      for (const parameter of operation.parameters ?? []) {
        const shared = document.components.parameters[parameter.$ref?.split("/").pop() ?? ""];
        judgeOf((shared ?? parameter).schema);
      }
      for (const response of Object.values(operation.responses)) {
        for (const media of Object.values(resolved(response)?.content ?? {})) {
          judgeOf(media.schema);
          const fault = media.example === undefined ? "" : wrong(media.schema, media.example);
          if (fault !== "") faults.push(`${at} answers: ${fault}`);
        }
      }
      const body = operation.requestBody?.content[json];
      if (body === undefined) continue;
      const fault = body.example === undefined ? "has no example" : wrong(body.schema, body.example);
      if (fault !== "") faults.push(`${at}: ${fault}`);
    }
  }
  return faults;
}

/** Returns the operation of a request, with the path of the document: the one with the fewest parameters that fits. */
function operationOf(method: string, path: string): [string, Operation | undefined] {
  const fits = Object.keys(document.paths)
    .filter((one) => document.paths[one]?.[method.toLowerCase()] !== undefined)
    .filter((one) => new RegExp(`^${one.replace(/\{\w+\}/g, "[^/]+")}$`).test(path))
    .sort((a, b) => a.split("{").length - b.split("{").length);
  return [fits[0] ?? path, document.paths[fits[0] ?? ""]?.[method.toLowerCase()]];
}

/** Stands between a client and the server: each answer must fit the schema of its operation and status, each body that the server took the schema of the body. */
export class Witness {
  readonly faults: string[] = [];
  seen = 0;

  readonly fetch: typeof fetch = async (address, init) => {
    const response = await fetch(address, init);
    const method = init?.method ?? "GET";
    const [path, operation] = operationOf(method, new URL(String(address)).pathname);
    const at = `${method} ${path} ${response.status}`;
    const media = resolved(operation?.responses[response.status])?.content?.[json];
    if (operation === undefined || media === undefined) {
      this.faults.push(`${at} is not in the document`);
      return response;
    }
    this.seen++;
    this.note(at, wrong(media.schema, await response.clone().json()));
    const taken = operation.requestBody?.content[json];
    const body: unknown = typeof init?.body === "string" ? JSON.parse(init.body) : {};
    if (response.ok && taken !== undefined) this.note(`the body of ${at}`, wrong(taken.schema, body));
    return response;
  };

  private note(at: string, fault: string): void {
    if (fault !== "") this.faults.push(`${at}: ${fault}`);
  }
}
