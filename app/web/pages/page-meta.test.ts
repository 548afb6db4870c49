import { beforeEach, describe, expect, it } from "vitest";
import { pageMeta, setSite } from "./page-meta.ts";

beforeEach(() => setSite({ siteName: "Lantern", origin: "https://lantern.example" }));

describe("page meta", () => {
  it("is the site's name and the share picture, and allows indexing by default", () => {
    const tags = pageMeta();
    expect(tags).toContainEqual({ title: "Lantern" });
    expect(tags).toContainEqual({ name: "description", content: "Lantern" });
    expect(tags).toContainEqual({ name: "robots", content: "follow, index" });
    expect(tags).toContainEqual({ property: "og:image", content: "https://lantern.example/og.png" });
    expect(tags).toContainEqual({ name: "twitter:card", content: "summary_large_image" });
    expect(JSON.stringify(tags)).not.toContain("canonical");
  });

  it("puts the page's title before the site's name and keeps private pages out of indexes", () => {
    const tags = pageMeta({ title: "Favorites", robots: "noindex" });
    expect(tags).toContainEqual({ title: "Favorites · Lantern" });
    expect(tags).toContainEqual({ property: "og:title", content: "Favorites" });
    expect(tags).toContainEqual({ name: "robots", content: "noindex" });
  });

  it("writes absolute addresses", () => {
    const tags = pageMeta({ canonical: "/content/video" });
    const href = "https://lantern.example/content/video";
    expect(tags).toContainEqual({ tagName: "link", rel: "canonical", href });
    expect(tags).toContainEqual({ property: "og:url", content: href });
  });
});
