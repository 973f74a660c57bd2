// What the OpenAI package of npm makes of a server: an answer, a stream, an error. Its output is
// lines of JSON.
import OpenAI from "openai";

const client = new OpenAI({ baseURL: process.argv[2] + "/v1", apiKey: process.argv[3], maxRetries: 0 });
const ask = (content, more) => client.chat.completions.create({ model: "echo", messages: [{ role: "user", content }], ...more });
const print = (value) => console.log(JSON.stringify(value));

print((await client.models.list()).data.map((m) => m.id));
print((await ask("call add")).choices[0].message.content);
let text = "";
let tokens = 0;
for await (const piece of await ask("call add", { stream: true, stream_options: { include_usage: true } })) {
  text += piece.choices[0]?.delta?.content ?? "";
  tokens = piece.usage?.total_tokens ?? tokens;
}
print([text, tokens]);
try {
  await ask("busy");
} catch (error) {
  print([error.constructor.name, error.status, error.code]);
}
try {
  for await (const _ of await ask("restart other words", { stream: true }));
} catch (error) {
  print([error.constructor.name, error.code]);
}
